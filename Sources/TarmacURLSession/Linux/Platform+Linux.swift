#if !canImport(Darwin)
import Dispatch
import Foundation
import FoundationNetworking
import TarmacCore

/// The properties of Foundation's URLSession over libcurl.
enum Platform {
    static let capabilities: TransportCapabilities = [
        .informationalResponses, .decodesContent, .unknownLengthBodies, .resendsOnStaleConnection,
        .http2,
    ]
    static let abilities = SettingsRefusal.Abilities(customTrust: false, explicitProxy: false, showsCertificates: false, clientIdentity: false)
    static let exclusions = URLSessionExclusion.linux
    static let readsProxyEnvironment = true
    /// Foundation compares the host with that of libcurl, which keeps the brackets, and refuses the URL.
    static let takesIPv6Addresses = false
    static let resendsByItself = true
    /// Over HTTP/2, libcurl keeps a connection whose server has become silent, and all later exchanges would wait on it.
    static let keepsDeadConnections = true
    /// libcurl sends the body to its end, unless the status of the response is 300 or more.
    static let waitsForBody = true
    /// A file that is read by its descriptor needs no name, which a killed process would leave behind.
    static let namesTemporaryBodies = false
    /// Most failures have one number: `CurlTexts` knows them by their text.
    static let namesFailuresByText = true

    /// The fields that libcurl and Foundation add by themselves. A blank value prevents a field, while an empty
    /// value would be sent.
    static let suppressedFields = [
        "Accept": " ", "Accept-Encoding": " ", "Accept-Language": " ", "Connection": " ", "Content-Type": " ",
        "Expect": " ", "User-Agent": " ",
    ]

    /// Makes and starts tasks: Foundation waits for the thread of the sessions then, which may be busy, and a thread of Swift
    /// must not wait.
    private static let startQueue = DispatchQueue(label: "tarmac.urlsession.start")

    static func start(_ task: @escaping @Sendable () -> Void) { startQueue.async(execute: task) }

    static func makeDelegateQueue() -> OperationQueue { InlineQueue() }

    /// Returns `nil`: `suspend()` does not stop curl from reading.
    static func makeBrake(for task: URLSessionTask?) -> (any Brake)? { nil }

    static func adapt(_ configuration: URLSessionConfiguration, to settings: ConnectionSettings) {}

    enum Identity: Sendable {}

    /// Never called: ``SettingsRefusal`` has refused the setting.
    static func identity(_ identity: ClientIdentity) throws(TarmacError) -> Identity { throw .unsupported("clientIdentity", "takes none") }

    /// Does nothing: libcurl has no HTTP/3 here.
    static func assumeHTTP3(_ request: inout URLRequest) {}

    /// Does nothing: libcurl uses every available network. A call with restrictions is refused earlier.
    static func restrict(_ request: inout URLRequest, to access: NetworkAccess) {}

    /// Returns a task. Every body is a stream for Foundation, which then reads Tarmac's stream and does not
    /// copy or buffer the body.
    static func makeTask(
        in session: URLSession, _ request: URLRequest, _ body: RestingBody, for flight: SessionTask
    ) -> URLSessionTask {
        guard body.length > 0, let stream = flight.open(body) else { return session.dataTask(with: request) }
        var request = request
        request.httpBodyStream = stream
        // libcurl would send a stream in chunks. A blank Transfer-Encoding prevents that, and the stream checks
        // the length.
        request.setValue(String(body.length), forHTTPHeaderField: "Content-Length")
        request.setValue(" ", forHTTPHeaderField: "Transfer-Encoding")
        return session.dataTask(with: request)
    }
}
#endif
