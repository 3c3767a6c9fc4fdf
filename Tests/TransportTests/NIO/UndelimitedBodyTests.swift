#if NIO
import Foundation
import NIOCore
import NIOSSL
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacNIO
import Testing

/// A body without a length ends with its connection, and is complete only if that was closed in order (RFC 9112 §8).
@Suite(.timeLimit(.minutes(5))) struct UndelimitedBodyTests {
    static let heads = ["HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n", "HTTP/1.0 200 OK\r\n\r\n"]

    @Test(arguments: heads) func aResetWithinABodyWithoutALengthIsNoSuccess(_ head: String) async throws {
        let server = try await NIORawServer { _ in [.send(head + "half"), .reset] }
        let url = try server.url()
        try await withTransport { transport in #expect(await transport.failure(Request(.get, url)) == .truncatedBody) }
    }

    @Test func halfAFileDoesNotLandAfterAReset() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("tarmac-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let server = try await NIORawServer { _ in [.send("HTTP/1.1 200 OK\r\n\r\nhalf of it"), .reset] }
        let service = Service("s", host: Hosts(try server.url().string))
        await withClient(transport: .asyncHTTPClient, services: [service], configure: { ($0.retry, $0.resume) = (.never, .never) }) { client in
            _ = await #expect(throws: TarmacError.self) { try await client.send(Download(.get("/f"), to: path)) }
        }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    /// A stranger on the way can put in a record that cannot be decrypted.
    @Test(arguments: ["alert", "garbage", "close"]) func aDamagedRecordWithinABodyWithoutALengthIsNoSuccess(_ fault: String) async throws {
        var tls = try TestCertificates.server(TestCertificates.localhost)
        tls.applicationProtocols = ["http/1.1"]
        let context = try NIOSSLContext(configuration: tls)
        let server = try await NIORawServer(
            prepare: { channel in try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context), position: .first) },
            script: { _ in [.send("HTTP/1.1 200 OK\r\n\r\nhalf"), .break(fault)] })
        let url = try server.url(scheme: "https", host: "localhost")
        try await TestCertificates.withFile(TestCertificates.root) { file in
            try await withTransport(ConnectionSettings { $0.trust = .only(pemFile: file) }) { transport in
                let code = await transport.failure(Request(.get, url))
                // The error may be there before the head is decrypted.
                #expect(code == .truncatedBody || code == .connectionLost)
            }
        }
    }
}
#endif
