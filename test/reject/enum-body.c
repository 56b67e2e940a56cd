enum e { A, 5 };               // error: 1:13: expected a name for this enumerator, found `5`
enum f { B C };                // error: 2:12: expected `}` to close this enumeration, found `C`
enum ;                         // error: 3:6: expected `{` after `enum`, found `;`
