# Reads every table and view of results with sf, and prints differences from SQLite's: Rscript read_all.R RESULTS
suppressMessages(library(sf))
suppressMessages(library(DBI))

path <- commandArgs(TRUE)[1]
database <- dbConnect(RSQLite::SQLite(), path, flags = RSQLite::SQLITE_RO)
names <- dbGetQuery(database, paste(
  "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT GLOB 'rtree_*'",
  "AND name NOT GLOB 'gpkg_*' AND name NOT GLOB 'sqlite_*' ORDER BY name"
))$name
counts <- sapply(names, function(name) dbGetQuery(database, paste0('SELECT count(*) AS n FROM "', name, '"'))$n)
dbDisconnect(database)

for (name in names) {
  rows <- tryCatch(
    nrow(suppressWarnings(st_read(path, layer = name, quiet = TRUE, int64_as_string = TRUE))),
    error = function(error) conditionMessage(error)
  )
  if (!identical(as.numeric(rows), as.numeric(counts[[name]]))) cat(name, ": sf reads", rows, "rows, SQLite", counts[[name]], "\n")
}
cat(length(names), "read\n")
