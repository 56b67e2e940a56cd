struct ;                       // error: 1:8: expected `{` after `struct`, found `;`
struct 5 x;                    // error: 2:8: expected `{` after `struct`, found `5`
