-- library.lua: tables, sorting, coroutines, garbage collection, files.
local function same(a, b) if a ~= b then error(("%s ~= %s"):format(tostring(a), tostring(b)), 2) end end

-- tables: array and hash parts, growth and removal
local t = {}
for i = 1, 100000 do t[i] = i * i end
for i = 100000, 50001, -1 do t[i] = nil end
same(#t, 50000)
for i = 1, 1000 do t["key" .. i] = i end
local sum, n = 0, 0
for _, x in pairs(t) do sum = sum + x; n = n + 1 end
same(n, 51000); same(sum, 50000 * 50001 * 100001 // 6 + 500500)
table.insert(t, 1, "first"); same(t[2], 1); same(table.remove(t, 1), "first"); same(t[1], 1)
same(table.concat({ 1, 2, 3 }, "-", 2, 3), "2-3"); same(select("#", table.unpack({ 1, nil, 3 }, 1, 3)), 3)
same(table.move({ 1, 2, 3 }, 1, 3, 2)[3], 2); same(next({}), nil); same(rawlen({ 1, 2 }), 2)

-- sorting, checked against a simple generator of numbers
local seed, numbers = 42, {}
local function random() seed = (seed * 1103515245 + 12345) & 0x7fffffff; return seed end
for i = 1, 20000 do numbers[i] = random() end
table.sort(numbers)
for i = 2, #numbers do assert(numbers[i - 1] <= numbers[i]) end
table.sort(numbers, function(x, y) return x > y end)
for i = 2, #numbers do assert(numbers[i - 1] >= numbers[i]) end
same((pcall(table.sort, { 3, 1, "x" })), false)

-- coroutines: generators, errors, wrapping, closing, yields across pcall and metamethods
local function permutations(list, k)
  k = k or #list
  if k <= 1 then coroutine.yield(table.concat(list)) end
  for i = 1, k do
    list[k], list[i] = list[i], list[k]
    permutations(list, k - 1)
    list[k], list[i] = list[i], list[k]
  end
end
local seen = {}
for p in coroutine.wrap(function() permutations { "a", "b", "c", "d", "e" } end) do seen[p] = (seen[p] or 0) + 1 end
local different = 0
for _ in pairs(seen) do different = different + 1 end
same(different, 120)
local co = coroutine.create(function(x)
  local y = coroutine.yield(x + 1)
  local ok, m = pcall(function() coroutine.yield(y * 2); error("inside", 0) end)
  same(ok, false); same(m, "inside")
  local indexed = setmetatable({}, { __index = function(_, k) return coroutine.yield(k) end })
  return indexed.field
end)
same(select(2, coroutine.resume(co, 1)), 2); same(select(2, coroutine.resume(co, 5)), 10)
same(select(2, coroutine.resume(co)), "field"); same(select(2, coroutine.resume(co, "value")), "value")
same(coroutine.status(co), "dead"); same((coroutine.resume(co)), false)
local many = {}
for i = 1, 5000 do many[i] = coroutine.wrap(function() for j = 1, 3 do coroutine.yield(i * j) end end) end
local total = 0
for _ = 1, 3 do for i = 1, #many do total = total + many[i]() end end
same(total, 6 * 5000 * 5001 // 2)

-- garbage collection: weak tables, finalizers, both modes
for _, mode in ipairs { "generational", "incremental" } do
  collectgarbage(mode)
  local weak, finalized = setmetatable({}, { __mode = "v" }), 0
  for i = 1, 2000 do weak[i] = setmetatable({}, { __gc = function() finalized = finalized + 1 end }) end
  for i = 1, 200 do local junk = {}; for j = 1, 200 do junk[j] = { ("s"):rep(j) } end end
  collectgarbage(); collectgarbage()
  same(finalized, 2000); same(next(weak), nil)
end

-- files
local name = os.tmpname()
local file <close> = assert(io.open(name, "w+"))
file:setvbuf("full", 100)
for i = 1, 1000 do file:write("line ", i, " ", i / 4, "\n") end
file:seek("set")
local lines = 0
for word, number, quarter in function() return file:read(5, "n", "n") end do
  lines = lines + 1
  same(word, "line "); same(number, lines); same(quarter, lines / 4); same(file:read("l"), "")
end
same(lines, 1000); same(file:seek("end") > 10000, true)
os.remove(name)
same(io.open(name), nil); same(os.date("!%Y-%m-%d", 86400), "1970-01-02"); same(os.time { year = 2000, month = 1, day = 1, hour = 12 } > 0, true)
