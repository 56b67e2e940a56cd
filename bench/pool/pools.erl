%% Processes on two schedulers, as in language.c: trip (spawn, and a message back), many, pingpong, stream.
-module(pools).
-export([main/0]).

-define(TRIPS, 5000).
-define(MANY, 10000).
-define(MESSAGES, 5000).
-define(STREAM, 200000).

trip(0) -> ok;
trip(I) ->
    Me = self(),
    P = spawn(fun() -> Me ! {self(), I} end),
    receive {P, I} -> trip(I - 1) end.

many() ->
    Me = self(),
    lists:foreach(fun(_) -> spawn(fun() -> Me ! 1 end) end, lists:seq(1, ?MANY)),
    ?MANY = collect(?MANY, 0),
    ok.

collect(0, Sum) -> Sum;
collect(I, Sum) -> receive X -> collect(I - 1, Sum + X) end.

echo(0) -> ok;
echo(I) -> receive {From, X} -> From ! X end, echo(I - 1).

ask(_, 0) -> ok;
ask(To, I) -> To ! {self(), I}, receive I -> ask(To, I - 1) end.

pingpong() -> ask(spawn(fun() -> echo(?MESSAGES) end), ?MESSAGES).

stream() ->
    Me = self(),
    To = spawn(fun() -> Me ! collect(?STREAM, 0) end),
    lists:foreach(fun(_) -> To ! 1 end, lists:seq(1, ?STREAM)),
    receive ?STREAM -> ok end.

time(Work) ->
    Start = erlang:monotonic_time(nanosecond),
    ok = Work(),
    erlang:monotonic_time(nanosecond) - Start.

best(Name, Work, Per) ->
    io:format("~s ~.2f~n", [Name, lists:min([time(Work) || _ <- lists:seq(1, 7)]) / Per]).

main() ->
    best("trip", fun() -> trip(?TRIPS) end, ?TRIPS),
    best("many", fun many/0, ?MANY),
    best("pingpong", fun pingpong/0, 2 * ?MESSAGES),
    best("stream", fun stream/0, ?STREAM),
    halt().
