-- language.lua: what the interpreter itself must get right: arithmetic, strings, closures, metatables, goto, errors.
local function same(a, b) if a ~= b then error(("%s ~= %s"):format(tostring(a), tostring(b)), 2) end end

-- numbers
same(7 // 2, 3); same(-7 // 2, -4); same(-7 % 3, 2); same(7.5 // 2, 3.0); same(2^10, 1024.0)
same(math.maxinteger + 1, math.mininteger); same(1 << 63, math.mininteger); same(~0, -1); same(5 & 3 | 8 ~ 1, 9)
same(0x7fffffffffffffff // -1, -math.maxinteger); same(math.mininteger // -1, math.mininteger); same(math.mininteger % -1, 0)
same(1e15, 10.0^15); same(0x.8p1, 1.0); same("10" + 5, 15); same("0x10" * 1, 16); same(10 .. 20, "1020")
same(tostring(1/0), "inf"); same(tostring(3.0), "3.0"); same(math.type(3), "integer"); same(math.type(3.5), "float")
same(0/0 == 0/0, false); same(3 == 3.0, true); same(math.tointeger(2^53), 1 << 53); same(math.ult(1, -1), true)

-- strings
same(("x"):rep(3, ","), "x,x,x"); same(#("é"), 2); same(utf8.len("é"), 1); same(("hello"):byte(-1), 111)
same(("%5.2f|%-5d|%05d|%x|%q"):format(3.14159, 42, 42, 255, "a\nb"), ' 3.14|42   |00042|ff|"a\\\nb"')
same(("key = value"):match("^(%w+)%s*=%s*(%w+)$"), "key"); same(("abc"):gsub("%w", "%0%0"), "aabbcc")
same(("f(a(b)c)d"):match("%b()"), "(a(b)c)"); same(("THE (quick) fox"):find("%((%a+)%)"), 5)
same(("hello"):len(), 5); same(("Hello"):upper(), "HELLO"); same(("Hello"):lower(), "hello"); same(("abc"):reverse(), "cba")
same(("hello"):sub(2, -2), "ell"); same(("hello"):sub(-3), "llo"); same(("x"):sub(5), ""); same(string.char(72, 105), "Hi")
same(select("#", ("hello"):byte(1, -1)), 5); same(("a,b,,c"):find(",", 1, true), 2); same(("abc"):find("b()"), 2)
local words = {}
for word in ("one two  three"):gmatch("%a+") do words[#words + 1] = word end
same(table.concat(words, "|"), "one|two|three"); same(("x=1, y=2"):gsub("(%w)=(%w)", { x = "X" }), "X, y=2")
same(("abc"):gsub("", "-"), "-a-b-c-"); same(select(2, ("aaa"):gsub("a", "b", 2)), 2); same(("%d"):gsub("%%d", function() return 7 end), "7")
local packed = string.pack("<i4z s1 d", 7, "zero", "one", 1.5)
local a, b, c, d = string.unpack("<i4z s1 d", packed)
same(a, 7); same(b, "zero"); same(c, "one"); same(d, 1.5)

-- closures share variables; each turn of a loop has its own
local functions = {}
for i = 1, 3 do local n = i; functions[i] = { get = function() return n end, add = function(x) n = n + x end } end
functions[1].add(10); same(functions[1].get(), 11); same(functions[2].get(), 2)

-- variable arguments, multiple results, tail calls
local function count(...) return select("#", ...), ... end
same((count(nil, nil)), 2); same(select(-1, 1, 2, 3), 3); same(#table.pack(count(1, 2, 3)), 4)
local function down(n) if n == 0 then return "bottom" end return down(n - 1) end
same(down(1000000), "bottom")

-- goto and nested loops
local found
for i = 2, 50 do
  for j = 2, i - 1 do if i % j == 0 then goto continue end end
  found = i
  ::continue::
end
same(found, 47)

-- metatables
local Vector = {}
Vector.__index = Vector
Vector.__add = function(p, q) return setmetatable({ x = p.x + q.x }, Vector) end
Vector.__eq = function(p, q) return p.x == q.x end
Vector.__lt = function(p, q) return p.x < q.x end
Vector.__le = function(p, q) return p.x <= q.x end
Vector.__len = function(p) return p.x end
Vector.__call = function(p, y) return p.x * y end
Vector.__concat = function(p, q) return "v" .. (type(q) == "table" and q.x or q) end
Vector.__tostring = function(p) return "<" .. p.x .. ">" end
Vector.__close = function(p) p.closed = true end
local v, w = setmetatable({ x = 1 }, Vector), setmetatable({ x = 2 }, Vector)
same((v + w).x, 3); same(v == w, false); same(v < w, true); same(v <= w, true); same(#w, 2); same(w(21), 42)
same(v .. w, "v2"); same(tostring(v), "<1>")
do local closing <close> = v end
same(v.closed, true)
local proxy = setmetatable({}, { __index = function(_, k) return k .. "!" end, __newindex = function(t, k, x) rawset(t, k, x * 2) end })
proxy.n = 4; same(proxy.n, 8); same(proxy.other, "other!")

-- errors
same(select(2, pcall(error, { code = 7 })).code, 7)
same(select(2, pcall(function() local t; return t.x end)):match("attempt to index a nil value %(local 't'%)") ~= nil, true)
same(select(2, xpcall(function() error("deep", 0) end, function(m) return m .. " handled" end)), "deep handled")
same(pcall(string.rep, "x", -1), true); same((pcall(string.rep)), false); same(select(2, load("x = = 1")):match("unexpected symbol") ~= nil, true)
same(load("return ...", "chunk", "t", {})(9), 9); same(assert(load(string.dump(function() return 12 end)))(), 12)
