# documents.awk -v kind=json|xml -v records=N: a document like those that services exchange.
function text(i,   s) {
  s = sprintf("Order %d, \"%s\" for %s & sons, line%d", i,
              i % 3 ? "express" : "standard", i % 5 ? "Meier" : "Müller", i % 7)
  if (kind == "xml") {
    gsub(/&/, "\\&amp;", s)
    gsub(/"/, "\\&quot;", s)
  } else {
    gsub(/"/, "\\\"", s)
    s = s "\\n\\u00e9"
  }
  return s
}
function json(i) {
  printf "  {\"id\": %d, \"name\": \"%s\", \"price\": %.2f, ", i, text(i), i * 1.37
  printf "\"scale\": %.3e,\n   \"paid\": %s, \"note\": null, ", i / 7, i % 2 ? "true" : "false"
  printf "\"tags\": [\"a%d\", \"b%d\", \"c\"],\n", i % 10, i % 100
  printf "   \"parts\": [{\"n\": %d, \"at\": [%d, %d, %d]}, ", i % 9, i, i + 1, -i
  printf "{\"n\": %d, \"at\": []}]}%s\n", i % 4, i < records - 1 ? "," : ""
}
function xml(i) {
  printf "  <order id=\"%d\" paid=\"%s\" price=\"%.2f\">\n", i, i % 2 ? "yes" : "no", i * 1.37
  printf "    <name lang=\"de\">%s</name>\n    <tags>", text(i)
  printf "<tag>a%d</tag><tag>b%d</tag><tag/></tags><!-- %d -->\n", i % 10, i % 100, i
  printf "    <part n=\"%d\"><at x=\"%d\" y=\"%d\"/>", i % 9, i, -i
  printf "<![CDATA[%d < %d]]></part>\n  </order>\n", i, i + 1
}
BEGIN {
  print kind == "xml" ? "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<orders>" : "["
  for (i = 0; i < records; i++)
    if (kind == "xml") xml(i)
    else json(i)
  print kind == "xml" ? "</orders>" : "]"
}
