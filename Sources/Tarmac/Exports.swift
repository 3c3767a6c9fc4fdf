// `import Tarmac` gives the kernel and every everyday room.
@_exported public import TarmacAuth
@_exported public import TarmacCache
@_exported public import TarmacCore
@_exported public import TarmacGroups
@_exported public import TarmacLog
@_exported public import TarmacPresentation
@_exported public import TarmacReform
@_exported public import TarmacResilience
@_exported public import TarmacTransfer
// Their members appear in everyday code: `JSON` for values without a model, status codes, methods and header fields.
@_exported public import HTTPTypes
@_exported public import TarmacJSON
