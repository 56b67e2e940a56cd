int x = ({ 1; });              // error: 1:9: a statement expression can be used only inside a function
