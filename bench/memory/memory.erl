%% 10^6 processes that wait for a message: bytes for each. +P raises the limit, since the default one is lower.
-module(memory).
-export([main/0]).

-define(N, 1000000).

resident() ->
    {ok, Text} = file:read_file("/proc/self/statm"),
    [_, Pages | _] = string:lexemes(Text, " "),
    binary_to_integer(Pages) * 4096.

idle(Me) ->
    Me ! begun,
    receive go -> Me ! ended end.

await(0, _) -> ok;
await(I, What) -> receive What -> await(I - 1, What) end.

main() ->
    Me = self(),
    Before = resident(),
    All = [spawn(fun() -> idle(Me) end) || _ <- lists:seq(1, ?N)],
    await(?N, begun),
    io:format("idle ~.1f~n", [(resident() - Before) / ?N]),
    [P ! go || P <- All],
    await(?N, ended),
    halt().
