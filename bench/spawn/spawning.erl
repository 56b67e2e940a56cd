%% Processes, each of which sends one message: one at a time, and 10^5 started, then received from; nanoseconds for one.
-module(spawning).
-export([main/0]).

-define(N, 100000).

one(To, V) -> To ! V.

take() -> receive V -> V end.

in_turn(0, S) -> S;
in_turn(I, S) ->
    Me = self(),
    spawn(fun() -> one(Me, 1) end),
    in_turn(I - 1, S + take()).

start(0) -> ok;
start(I) ->
    Me = self(),
    spawn(fun() -> one(Me, 1) end),
    start(I - 1).

collect(0, S) -> S;
collect(I, S) -> collect(I - 1, S + take()).

many() -> start(?N), collect(?N, 0).

time(F) ->
    Start = erlang:monotonic_time(nanosecond),
    ?N = F(),
    (erlang:monotonic_time(nanosecond) - Start) / ?N.

best(F) -> lists:min([time(F) || _ <- lists:seq(1, 8)]).

main() ->
    io:format("spawn ~.2f~nmany ~.2f~n", [best(fun() -> in_turn(?N, 0) end), best(fun many/0)]),
    halt().
