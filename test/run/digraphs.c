// Digraphs are the punctuators that they stand for, in bodies too, also next to what they could paste with.
%:include <stdio.h>
%:define GLUE(a, b) a %:%: b
%:define TEXT(a) %:a

static int table<:3:> = <% 1, 2, 3 %>;
struct pair <% int a<:2:>; %>;

int main(void) <%
  struct pair p = <%<%4, 5%>%>;
  int GLUE(x, y) = table<:1:> + p.a<:1:>, n = 8;
  if (xy<10 && n%3==2) <% printf("%d %s\n", xy, TEXT(<:)); %> // expect: 7 <:
  int a<::> = <%[1] = 6%>, i = 1;
  printf("%d %zu %d\n", a<:i:>, sizeof a, n %2); // expect: 6 8 0
  for (; i--;) <%%>
  return i ? 0 : 1;
%>
