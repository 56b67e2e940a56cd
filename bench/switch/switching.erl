%% Two processes that yield to each other: nanoseconds for one switch.
-module(switching).
-export([main/0]).

-define(N, 100000).

bounce(0) -> ok;
bounce(I) -> erlang:yield(), bounce(I - 1).

pair() ->
    Me = self(),
    Body = fun() -> bounce(?N), Me ! ?N end,
    spawn(Body),
    spawn(Body),
    receive A -> receive B -> A + B end end.

chunk() ->
    Start = erlang:monotonic_time(nanosecond),
    Sum = 2 * ?N,
    Sum = pair(),
    (erlang:monotonic_time(nanosecond) - Start) / Sum.

main() ->
    io:format("switch ~.2f~n", [lists:min([chunk() || _ <- lists:seq(1, 8)])]),
    halt().
