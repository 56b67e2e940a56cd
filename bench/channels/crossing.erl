%% There and back between two processes in Erlang, each bound to a scheduler of its own: half of a round trip, as in cross.c.
-module(crossing).
-export([main/0]).

-define(N, 5000).

echo(0) -> ok;
echo(I) -> receive {From, X} -> From ! X end, echo(I - 1).

ask(_, 0, Sum) -> Sum;
ask(To, I, Sum) -> To ! {self(), 1}, receive X -> ask(To, I - 1, Sum + X) end.

%% `scheduler` is not documented: that it took is checked.
bound(Scheduler, Work) ->
    spawn_opt(fun() -> erlang:yield(), Scheduler = erlang:system_info(scheduler_id), Work() end, [link, {scheduler, Scheduler}]).

pingpong() ->
    Me = self(),
    To = bound(2, fun() -> echo(?N) end),
    bound(1, fun() ->
        Start = erlang:monotonic_time(nanosecond),
        ?N = ask(To, ?N, 0),
        Me ! (erlang:monotonic_time(nanosecond) - Start) / (2 * ?N)
    end),
    receive Time -> Time end.

main() ->
    io:format("mail ~.2f~n", [lists:min([pingpong() || _ <- lists:seq(1, 10)])]),
    halt().
