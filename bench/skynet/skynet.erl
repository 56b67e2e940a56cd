%% Skynet in Erlang, on one scheduler; milliseconds.
-module(skynet).
-export([main/0]).

-define(LEAVES, 1000000).

sky(To, Number, 1) -> To ! Number;
sky(To, Number, Size) ->
    Me = self(),
    Part = Size div 10,
    [spawn(fun() -> sky(Me, Number + I * Part, Part) end) || I <- lists:seq(0, 9)],
    To ! lists:sum([receive V -> V end || _ <- lists:seq(1, 10)]).

chunk() ->
    Me = self(),
    Sum = ?LEAVES * (?LEAVES - 1) div 2,
    Start = erlang:monotonic_time(nanosecond),
    spawn(fun() -> sky(Me, 0, ?LEAVES) end),
    Sum = receive V -> V end,
    (erlang:monotonic_time(nanosecond) - Start) / 1.0e6.

main() ->
    io:format("skynet ~.1f~n", [min(chunk(), chunk())]),
    halt().
