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
    /// Faults that are known and open: run all the same, so that a mended one is noticed.
    var openFaults: [TransportConformance.Case: Fault] = [:]

    struct Fault: Sendable {
        let reason: String
        var isIntermittent = false
    }

    var testDescription: String { factory.name }

    static let asyncHTTPClient = TransportUnderTest(
        factory: .asyncHTTPClient, exclusions: [:])
    static let urlSession = TransportUnderTest(
        factory: .urlSession, exclusions: urlSessionExclusions,
        openFaults: [
            .unknownVersion: Fault(reason: "HTTP/9.9 is taken for an invalid URL"),
            .postNotResent: Fault(reason: "law 5: libcurl resends a POST without asking when the machine is busy", isIntermittent: true),
        ])

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
        .abortedWhileQueued: "Foundation takes a cancelled task back a few milliseconds later; its turn may come before",
        .earlyResponse: "libcurl delivers no response while the upload is stuck",
        .malformedClosesConnection: "libcurl keeps a connection whose lengths it has put up with",
        .shutdownClosesConnections: "libcurl keeps idle connections beyond the session",
    ]
}
#endif
