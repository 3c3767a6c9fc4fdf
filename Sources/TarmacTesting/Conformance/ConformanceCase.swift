extension TransportConformance {
    /// A case; its raw value is a claim about a transport.
    public enum Case: String, CaseIterable, Sendable, CustomStringConvertible {
        // Requests.
        case commonMethods
        case unusualMethods
        case lowercaseMethods
        case requestTarget
        case hostHeader
        case requestHeaders
        case requestHeaderOrder
        case requestHeaderRepetition
        case oneCookieField
        case noHeadersOfItsOwn
        case noBodyOfItsOwn

        // Request bodies.
        case bytesBody
        case bodyWithGet
        case fileBody
        case missingFileBody
        case streamOfKnownLength
        case streamOfUnknownLength
        case streamOfUnknownLengthIsChunked
        case emptyStream
        case streamTooShort
        case streamTooLong
        case streamThatFails
        case replayedBody
        case uploadBackPressure
        case uploadReports
        case earlyResponse
        case continueBeforeBody

        // Responses.
        case statuses
        case redirectStatuses
        case informationalResponses
        case informationalReports
        case responseHeaders
        case responseHeaderRepetition
        case emptyBodies
        case hugeCollectedBody
        case hugeStreamedBody
        case downloadBackPressure
        case chunkedBody
        case chunkedStreamArrivesPieceByPiece
        case trailersTolerated
        case trailers
        case singleBytes
        case http10
        case closeDelimitedBody
        case protocolVersion
        case obsText
        case foldedHeader
        case bareLineFeeds
        case bodyOfExactlyTheLimit
        case bodyOverTheLimit
        case chunkedBodyOverTheLimit

        // Tasks above a transport.
        case redirectsNotFollowed
        case cookiesNotStored
        case nothingCached
        case challengesNotAnswered
        case contentCodingUntouched

        // Broken responses.
        case garbageStatusLine
        case impossibleStatus
        case unknownVersion
        case versionWithoutNumber
        case invalidChunkSize
        case conflictingContentLengths
        case invalidContentLength
        case invalidHeaderName
        case nulInHeader
        case hugeHeader
        case endlessHeaders
        case malformedClosesConnection
        case truncatedBody
        case truncatedChunkedBody
        case truncatedStream
        case closedInHead
        case closedWithoutAnswer
        case resetWithoutAnswer
        case resetInBody
        case garbageAfterResponse

        // Connections.
        case keepAlive
        case connectionReports
        case connectionClose
        case connectionsPerHost
        case staleConnections
        case closedOnReuse
        case resendReports
        case postNotResent
        case postHeadNotResent
        case refused
        case unknownHost
        case thousandAtOnce
        case shutdownEndsEverything
        case shutdownClosesConnections
        case nothingAfterShutdown

        // Aborts.
        case abortedBefore
        case abortedWhileConnecting
        case abortedWhileQueued
        case abortedWhileSending
        case abortedWhileWaiting
        case abortedInCollectedBody
        case abortedInStream
        case abortReason
        case droppedStream
        case unreadStream
        case cancelledReader
        case abortAfterTheEnd

        public var description: String { rawValue }
    }
}
