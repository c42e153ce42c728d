# How many stations the table has, and whether each of them has a height.
count=$(($(wc -l < tables/heights.csv) - 1))
if grep -q ',$' tables/heights.csv; then word=FAILED; else word=OK; fi
echo "$count stations $word"
