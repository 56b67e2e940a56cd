// L"", u"", U"", u8"": lengths and element types, concatenation with plain strings, escapes, characters beyond 16 bits.
#include <stdio.h>
#include <wchar.h>

static const wchar_t wide[] = L"wide" " and plain";
static const unsigned short sixteen[] = u"a\u00e9\U0001F600b";
static const unsigned int thirtytwo[] = U"\U0001F600" "x";
static const char eight[] = u8"é\u00e9\U0001F600";

int main(void) {
  printf("%zu %zu\n", sizeof wide / sizeof *wide, wcslen(wide)); // expect: 15 14
  printf("%zu %x %x\n", sizeof sixteen / 2, sixteen[1], sixteen[2]); // expect: 6 e9 d83d
  printf("%zu %x\n", sizeof thirtytwo / 4, thirtytwo[0]); // expect: 3 1f600
  printf("%zu %02x%02x\n", sizeof eight, eight[0] & 255, eight[1] & 255); // expect: 9 c3a9
  printf("%zu %zu %zu\n", sizeof L"", sizeof u"ab", sizeof U"ab"); // expect: 4 6 12
  printf("%zu\n", sizeof L"\x12345" "6");         // expect: 12
  printf("%x %x %x\n", L'\x1234', u'\u20ac', U'\U0001F600'); // expect: 1234 20ac 1f600
  printf("%d %d\n", L'é' == 0xe9, u'é' == U'é');  // expect: 1 1
  printf("%x\n", L"\377é"[0]);                    // expect: ff
  printf("%zu %zu\n", sizeof "é", sizeof L"é€😀"); // expect: 3 16
  printf("%zu\n", sizeof u"😀");                  // expect: 6
  const wchar_t *w = wide + 5;
  printf("%ls\n", w);                             // expect: and plain
  wchar_t local[] = {L"x" "y"};
  printf("%zu\n", sizeof local);                  // expect: 12
  printf("%d\n", (int)sizeof L'x' + (int)sizeof u'x' + (int)sizeof U'x'); // expect: 10
  return 0;
}
