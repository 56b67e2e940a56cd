%% Messages in Erlang: nanoseconds a message, as in language.c: `mailbox` (there and back, half of it) and `mailpairs`.
-module(messages).
-export([main/0]).

-define(N, 100000).

echo(0) -> ok;
echo(I) -> receive {From, X} -> From ! X end, echo(I - 1).

ask(_, 0, Sum) -> Sum;
ask(To, I, Sum) -> To ! {self(), 1}, receive X -> ask(To, I - 1, Sum + X) end.

pingpong() -> ask(spawn(fun() -> echo(?N) end), ?N, 0).

pairs() ->
    Me = self(),
    lists:foreach(fun(_) ->
        R = spawn(fun() -> receive X -> Me ! X end end),
        spawn(fun() -> R ! 1 end)
    end, lists:seq(1, ?N)),
    collect(?N, 0).

collect(0, Sum) -> Sum;
collect(I, Sum) -> receive X -> collect(I - 1, Sum + X) end.

time(Work, Per) ->
    Start = erlang:monotonic_time(nanosecond),
    ?N = Work(),
    (erlang:monotonic_time(nanosecond) - Start) / Per.

best(Name, Work, Per) ->
    io:format("~s ~.2f~n", [Name, lists:min([time(Work, Per) || _ <- lists:seq(1, 5)])]).

main() ->
    best("mailbox", fun pingpong/0, 2 * ?N),
    best("mailpairs", fun pairs/0, ?N),
    halt().
