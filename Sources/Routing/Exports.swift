// Re-exports the types of requests and results, so that `import Routing` is enough.
@_exported import Geography
@_exported import StreetNetwork
