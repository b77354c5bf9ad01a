// The types of requests and answers: `import Routing` is enough.
@_exported import Geography
@_exported import StreetNetwork
