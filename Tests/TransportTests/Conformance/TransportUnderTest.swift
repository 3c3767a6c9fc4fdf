#if Tools
import Tarmac
import TarmacNIO
import TarmacTesting
import TarmacURLSession
import Testing

/// One of the transports this package brings, with what it is known not to do.
struct TransportUnderTest: Sendable, CustomTestStringConvertible {
    let factory: TransportFactory
    /// What the platform cannot do.
    let exclusions: [TransportConformance.Case: String]

    var testDescription: String { factory.name }

    static let asyncHTTPClient = TransportUnderTest(
        factory: .asyncHTTPClient, exclusions: [:])
    static let urlSession = TransportUnderTest(
        factory: .urlSession, exclusions: urlSessionExclusions)

    #if canImport(Darwin)
    private static let urlSessionExclusions = everywhere
    #else
    private static let urlSessionExclusions = everywhere.merging(onLinux) { $1 }
    #endif

    /// What `URLSession` is on every platform; Documentation/Platforms.md has the same by name.
    private static let everywhere: [TransportConformance.Case: String] = [
        .lowercaseMethods: "methodCase: refused, since `get` would be sent as `GET`",
        .streamOfUnknownLengthIsChunked: "streamedUpload: a stream is brought to rest first and sent with its length",
        .resendReports: "resendReports: idempotent requests without a body are resent in silence",
    ]

    /// What Foundation makes of it over libcurl.
    private static let onLinux: [TransportConformance.Case: String] = [
        .redirectStatuses: "redirectWithoutLocation: the body of a 3xx without a usable Location is lost",
        .trailersTolerated: "chunkedTrailerFields: FoundationNetworking ends the process",
        .singleBytes: "chunkedTrailerFields: one of its responses has some",
        .closedInHead: "connectionLostInHead: FoundationNetworking ends the process",
        .earlyResponse: "streamedUpload: the stream is read to its end before anything is sent",
        .versionWithoutNumber: "statusLineVersion: libcurl reads over it, and Foundation does not show it",
        .postHeadNotResent: "resendHead: libcurl sends the head again before it asks for the body, which it does not get",
    ]
}
#endif
