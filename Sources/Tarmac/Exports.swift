// What `import Tarmac` gives: the everyday names of the kernel and of every everyday room. Members come along with their types, also those that
// another room adds. What only writers of stores, transports and stages name needs `import TarmacCore`, `import TarmacCache` and so on.

// TarmacAuth
@_exported public import struct TarmacAuth.AccessToken
@_exported public import enum TarmacAuth.AuthEvent
@_exported public import struct TarmacAuth.Authentication
@_exported public import protocol TarmacAuth.Authenticator
@_exported public import struct TarmacAuth.FileTokenStore
@_exported public import enum TarmacAuth.LogOutReason
@_exported public import class TarmacAuth.MemoryTokenStore
@_exported public import struct TarmacAuth.OAuthClient
@_exported public import enum TarmacAuth.RefreshConsequence
@_exported public import class TarmacAuth.RefreshContext
@_exported public import struct TarmacAuth.RefreshRule
@_exported public import struct TarmacAuth.TokenKey
@_exported public import protocol TarmacAuth.TokenStore
#if canImport(Darwin)
@_exported public import struct TarmacAuth.KeychainTokenStore
#endif

// TarmacCache
@_exported public import enum TarmacCache.CacheEvent
@_exported public import struct TarmacCache.CacheRule
@_exported public import struct TarmacCache.CacheSelection
@_exported public import struct TarmacCache.CacheStatistics
@_exported public import struct TarmacCache.CacheStorePlace
@_exported public import struct TarmacCache.ClientCache
@_exported public import class TarmacCache.FileCacheStore
@_exported public import struct TarmacCache.Updates

// TarmacCore
@_exported public import class TarmacCore.AnyCall
#if canImport(Darwin)
@_exported public import typealias TarmacCore.AnyOwner
#else
@_exported public import protocol TarmacCore.AnyOwner
#endif
@_exported public import class TarmacCore.Call
@_exported public import class TarmacCore.CallContext
@_exported public import protocol TarmacCore.CallDelegate
@_exported public import struct TarmacCore.CallEvent
@_exported public import class TarmacCore.CallHandle
@_exported public import enum TarmacCore.CallOutcome
@_exported public import enum TarmacCore.CallPriority
@_exported public import protocol TarmacCore.CallSender
@_exported public import class TarmacCore.CallSlot
@_exported public import struct TarmacCore.CallSummary
@_exported public import struct TarmacCore.Chain
@_exported public import struct TarmacCore.Client
@_exported public import struct TarmacCore.ClientIdentity
@_exported public import struct TarmacCore.ClientWork
@_exported public import struct TarmacCore.ConnectionSettings
@_exported public import struct TarmacCore.CookieHandling
@_exported public import protocol TarmacCore.Endpoint
@_exported public import typealias TarmacCore.ErrorMapping
@_exported public import protocol TarmacCore.EventObserver
@_exported public import struct TarmacCore.Explanation
@_exported public import struct TarmacCore.HeaderSettings
@_exported public import struct TarmacCore.HostKind
@_exported public import struct TarmacCore.Hosts
@_exported public import struct TarmacCore.IdempotencyKey
@_exported public import struct TarmacCore.InlineEndpoint
@_exported public import protocol TarmacCore.Interceptor
@_exported public import struct TarmacCore.Landed
@_exported public import class TarmacCore.Lifetime
@_exported public import protocol TarmacCore.LifetimeOwner
@_exported public import struct TarmacCore.NetworkAccess
@_exported public import struct TarmacCore.Options
@_exported public import enum TarmacCore.Origin
@_exported public import struct TarmacCore.RedirectRule
@_exported public import struct TarmacCore.Route
@_exported public import struct TarmacCore.Service
@_exported public import struct TarmacCore.ServiceClient
@_exported public import struct TarmacCore.ServiceEnvironment
@_exported public import struct TarmacCore.TimeLimit
@_exported public import struct TarmacCore.TransferProgress
@_exported public import struct TarmacCore.TransportFactory
@_exported public import struct TarmacCore.UserAgent
@_exported public import protocol TarmacCore.Work
@_exported public import let TarmacCore.tarmacVersion
@_exported public import func TarmacCore.withClient

// TarmacGroups
@_exported public import struct TarmacGroups.Batch
@_exported public import struct TarmacGroups.ChainResults
@_exported public import struct TarmacGroups.GraphResults
@_exported public import struct TarmacGroups.GroupProgress
@_exported public import struct TarmacGroups.GroupSettings
@_exported public import struct TarmacGroups.RequestChain
@_exported public import struct TarmacGroups.RequestGraph

// TarmacHTTP
@_exported public import struct TarmacHTTP.AcceptableContentTypes
@_exported public import struct TarmacHTTP.AcceptableStatus
@_exported public import struct TarmacHTTP.AttemptTimings
@_exported public import struct TarmacHTTP.Body
@_exported public import struct TarmacHTTP.BodyDecoder
@_exported public import struct TarmacHTTP.BodyEncoder
@_exported public import struct TarmacHTTP.BodyFormat
@_exported public import struct TarmacHTTP.ByteStream
@_exported public import struct TarmacHTTP.Bytes
@_exported public import struct TarmacHTTP.CallTag
@_exported public import struct TarmacHTTP.Envelope
@_exported public import struct TarmacHTTP.FailedAttempt
@_exported public import struct TarmacHTTP.Field
@_exported public import struct TarmacHTTP.HTTPURL
@_exported public import struct TarmacHTTP.Header
@_exported public import struct TarmacHTTP.Landing
@_exported public import struct TarmacHTTP.Parameter
@_exported public import enum TarmacHTTP.ParameterDateStrategy
@_exported public import struct TarmacHTTP.ParameterList
@_exported public import struct TarmacHTTP.ParameterTarget
@_exported public import protocol TarmacHTTP.ParameterTransform
@_exported public import enum TarmacHTTP.ParameterValue
@_exported public import struct TarmacHTTP.Path
@_exported public import struct TarmacHTTP.Payload
@_exported public import struct TarmacHTTP.Pin
@_exported public import enum TarmacHTTP.PinNotice
@_exported public import struct TarmacHTTP.PinReport
@_exported public import struct TarmacHTTP.PinSet
@_exported public import struct TarmacHTTP.Pins
@_exported public import struct TarmacHTTP.ProblemDetails
@_exported public import struct TarmacHTTP.ProtocolVersion
@_exported public import struct TarmacHTTP.Query
@_exported public import struct TarmacHTTP.QueryEncoder
@_exported public import struct TarmacHTTP.Request
@_exported public import struct TarmacHTTP.Response
@_exported public import enum TarmacHTTP.ResponseBody
@_exported public import struct TarmacHTTP.ResponseSnapshot
@_exported public import enum TarmacHTTP.ResponseSource
@_exported public import struct TarmacHTTP.Secret
@_exported public import struct TarmacHTTP.TarmacError
@_exported public import protocol TarmacHTTP.URLFilter
@_exported public import struct TarmacHTTP.UserInfo
@_exported public import protocol TarmacHTTP.UserInfoKey
@_exported public import enum TarmacHTTP.UserMessageLanguage
@_exported public import struct TarmacHTTP.WholeBody

// TarmacJSON
@_exported public import struct TarmacJSON.JSON
@_exported public import struct TarmacJSON.JSONError
@_exported public import struct TarmacJSON.JSONPath
@_exported public import struct TarmacJSON.Shape

// TarmacLog
@_exported public import struct TarmacLog.ConsoleLogger
@_exported public import struct TarmacLog.CurlPrinter
@_exported public import struct TarmacLog.MessageLogger

// TarmacPresentation
@_exported public import struct TarmacPresentation.CallHooks
@_exported public import struct TarmacPresentation.Loading
@_exported public import struct TarmacPresentation.PresentationHost
@_exported public import struct TarmacPresentation.PresentedError
@_exported public import protocol TarmacPresentation.Presenter

// TarmacReform
@_exported public import struct TarmacReform.JSONKey
@_exported public import struct TarmacReform.ReformedRow
@_exported public import protocol TarmacReform.Reformer
@_exported public import struct TarmacReform.ReformerTable

// TarmacResilience
@_exported public import struct TarmacResilience.FailoverRule
@_exported public import enum TarmacResilience.ResilienceEvent
@_exported public import struct TarmacResilience.RetryRule

// TarmacTransfer
@_exported public import struct TarmacTransfer.Download
@_exported public import struct TarmacTransfer.DownloadRule
@_exported public import struct TarmacTransfer.DownloadedFile
@_exported public import struct TarmacTransfer.ExpectedDigest
@_exported public import enum TarmacTransfer.Multipart
@_exported public import struct TarmacTransfer.RequestCompression
@_exported public import struct TarmacTransfer.ResumeRule
@_exported public import struct TarmacTransfer.TransferLedger
@_exported public import struct TarmacTransfer.TransferRecord
@_exported public import struct TarmacTransfer.Upload

// Status codes, methods and header fields appear in everyday code.
@_exported public import HTTPTypes
