%% 10^5 pairs of processes that wait for one another: bytes a pair, as in room.c. A process is its own mailbox: there are no channels.
-module(room).
-export([main/0]).

-define(N, 100000).

resident() ->
    {ok, Text} = file:read_file("/proc/self/statm"),
    [_, Pages | _] = string:lexemes(Text, " "),
    binary_to_integer(Pages) * 4096.

answer(Me) ->
    Me ! begun,
    receive {From, X} -> From ! X + 1 end.

ask(Me, To) ->
    Me ! begun,
    receive go -> To ! {self(), 1} end,
    receive X -> Me ! {sum, X} end.

pair(Me) ->
    To = spawn(fun() -> answer(Me) end),
    spawn(fun() -> ask(Me, To) end).

await(0) -> ok;
await(I) -> receive begun -> await(I - 1) end.

collect(0, Sum) -> Sum;
collect(I, Sum) -> receive {sum, X} -> collect(I - 1, Sum + X) end.

main() ->
    Me = self(),
    Before = resident(),
    All = [pair(Me) || _ <- lists:seq(1, ?N)],
    await(2 * ?N),
    io:format("bytes ~.1f~n", [(resident() - Before) / ?N]),
    [P ! go || P <- All],
    Sum = 2 * ?N,
    Sum = collect(?N, 0),
    halt().
