int x = ({ 1; });              // error: 1:9: a statement expression can stand only inside a function
