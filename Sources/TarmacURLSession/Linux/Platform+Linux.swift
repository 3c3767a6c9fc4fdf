#if !canImport(Darwin)
import Foundation
import FoundationNetworking
import TarmacCore

/// Foundation's URLSession over libcurl.
enum Platform {
    static let capabilities: TransportCapabilities = [
        .informationalResponses, .decodesContent, .unknownLengthBodies, .resendsOnStaleConnection,
        .http2,
    ]
    static let abilities = SettingsRefusal.Abilities(customTrust: false, explicitProxy: false, showsCertificates: false)
    static let exclusions = URLSessionExclusion.linux
    static let readsProxyEnvironment = true
    static let resendsByItself = true
    /// What is read by its descriptor needs no name, which a killed process would leave behind.
    static let namesTemporaryBodies = false

    /// libcurl and Foundation add these by themselves. A blank value keeps a field off the wire, where an empty one
    /// would be sent.
    static let suppressedFields = [
        "Accept": " ", "Accept-Encoding": " ", "Accept-Language": " ", "Connection": " ", "Content-Type": " ",
        "Expect": " ", "User-Agent": " ",
    ]

    static func makeDelegateQueue() -> OperationQueue { InlineQueue() }

    /// `suspend()` does not stop what curl reads.
    static func makeBrake(for task: URLSessionTask?) -> (any Brake)? { nil }

    static func adapt(_ configuration: URLSessionConfiguration, to settings: ConnectionSettings) {}

    /// libcurl takes whatever network there is; a call that must not is refused before it comes here.
    static func restrict(_ request: inout URLRequest, to access: NetworkAccess) {}

    /// Every body is a stream to Foundation: it then reads ours in place of copying or buffering.
    static func makeTask(
        in session: URLSession, _ request: URLRequest, _ body: RestingBody, for flight: SessionTask
    ) -> URLSessionTask {
        guard body.length > 0, let stream = flight.open(body) else { return session.dataTask(with: request) }
        var request = request
        request.httpBodyStream = stream
        // libcurl takes a stream for chunked; a blank field talks it out of that, and the length is ours to keep.
        request.setValue(String(body.length), forHTTPHeaderField: "Content-Length")
        request.setValue(" ", forHTTPHeaderField: "Transfer-Encoding")
        return session.dataTask(with: request)
    }
}
#endif
