// What requests and answers are made of: `import Routing` is enough.
@_exported import Geography
@_exported import StreetNetwork
