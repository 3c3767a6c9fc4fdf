// What a call is made of is below the kernel, and whoever imports the kernel sees it.
@_exported public import TarmacHTTP
