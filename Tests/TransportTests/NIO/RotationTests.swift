#if NIO
import Foundation
import NIOCore
import NIOSSL
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacNIO
import Testing

/// Certificates that change while a client runs.
struct RotationTests {
    /// A server whose certificate changes, and whose connections carry one request each.
    private static func server(_ context: Locked<NIOSSLContext>, connections: String = "Connection: close\r\n") async throws -> NIORawServer {
        try await NIORawServer(prepare: { channel in
            try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context.withLock { $0 }))
        }) { _ in [.send("HTTP/1.1 200 OK\r\n\(connections)Content-Length: 2\r\n\r\nok"), .close] }
    }

    private static func write(_ text: String, to path: String) throws { try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic) }

    @Test(.timeLimit(.minutes(1))) func authorityThatChangesUnderLoadLosesNoCall() async throws {
        let old = try NIOSSLContext(configuration: TestCertificates.server(TestCertificates.localhost))
        let new = try NIOSSLContext(configuration: Fixture.localhost.serverConfiguration())
        let context = Locked(old)
        let server = try await Self.server(context)
        let url = try server.url(scheme: "https", host: "localhost")
        try await TestCertificates.withFile(TestCertificates.root) { file in
            try await withTransport(ConnectionSettings { $0.trust = .only(pemFile: file) }) { transport in
                let isOver = Locked(false)
                async let calls = withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 0..<8 {
                        group.addTask {
                            var count = 0
                            while !isOver.withLock({ $0 }) {
                                try await expectOK(transport, url)
                                count += 1
                            }
                            return count
                        }
                    }
                    return try await group.reduce(0, +)
                }
                let root = try String(contentsOfFile: Fixture.root.pemFile, encoding: .utf8)
                await server.until { $0.requests.count > 40 }
                try Self.write(TestCertificates.root + "\n" + root, to: file)
                context.withLock { $0 = new }
                let switched = server.seen.requests.count
                await server.until { $0.requests.count > switched + 40 }
                try Self.write(root, to: file)
                let narrowed = server.seen.requests.count
                await server.until { $0.requests.count > narrowed + 40 }
                isOver.withLock { $0 = true }
                let count = try await calls
                #expect(count > 120)
            }
        }
    }

    @Test func certificateThatIsNoLongerTrustedIsRefusedByTheNextConnection() async throws {
        let server = try await Self.server(Locked(try NIOSSLContext(configuration: TestCertificates.server(TestCertificates.localhost))))
        let url = try server.url(scheme: "https", host: "localhost")
        try await TestCertificates.withFile(TestCertificates.root) { file in
            try await withTransport(ConnectionSettings { $0.trust = .only(pemFile: file) }) { transport in
                try await expectOK(transport, url)
                try Self.write(try String(contentsOfFile: Fixture.root.pemFile, encoding: .utf8), to: file)
                #expect(await transport.failure(Request(.get, url)) == .untrustedCertificate)
            }
        }
    }

    /// A renewed certificate is often there before its key.
    @Test func filesThatAreHalfWrittenLeaveTheLastGoodOnes() async throws {
        let server = try await Self.server(Locked(try NIOSSLContext(configuration: TestCertificates.server(TestCertificates.localhost))))
        let url = try server.url(scheme: "https", host: "localhost")
        try await TestCertificates.withFile(TestCertificates.root) { file in
            try await withTransport(ConnectionSettings { $0.trust = .only(pemFile: file) }) { transport in
                _ = try await transport.get(url)
                try Self.write("-----BEGIN CERTIFICATE-----\nMIIB", to: file)
                let (first, second) = (Flight(), Flight())
                for flight in [first, second] { _ = try await transport.get(url, flight) }
                #expect(first.log.filter { $0.hasPrefix("warning") }.count == 1 && !second.log.contains { $0.hasPrefix("warning") })
                try FileManager.default.removeItem(atPath: file)
                try await expectOK(transport, url)
                try Self.write(try String(contentsOfFile: Fixture.root.pemFile, encoding: .utf8), to: file)
                #expect(await transport.failure(Request(.get, url)) == .untrustedCertificate)
            }
        }
    }

    /// A certificate may not be valid yet, or its file be unreadable for a moment.
    @Test func certificatesThatCouldNotBeUsedAreTriedAgain() {
        var now = NIODeadline.uptimeNanoseconds(1)
        var refused = RefusedMaterial("new", now)
        var pauses: [TimeAmount] = []
        for _ in 0..<8 {
            let start = now
            while refused.holds("new", now) { now = now + .milliseconds(500) }
            pauses.append(now - start)
            let isSame = refused.waitsLonger(for: "new", now)
            #expect(isSame)
        }
        #expect(pauses == [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000].map { .milliseconds($0) })
        #expect(!refused.holds("newer", now))
        let isOther = refused.waitsLonger(for: "newer", now)
        #expect(!isOther)
    }

    @Test func closureRenewsTheIdentity() async throws {
        let asking = try TestCertificates.server(TestCertificates.localhost, requiresClientCertificate: true)
        let server = try await Self.server(Locked(try NIOSSLContext(configuration: asking)))
        let url = try server.url(scheme: "https", host: "localhost")
        let identity = Locked<ClientIdentity?>(nil)
        let settings = ConnectionSettings {
            $0.trust = .onlyPEM(Bytes(TestCertificates.root))
            $0.rotation = .init { $0.clientIdentity = identity.withLock { $0 } }
        }
        try await withTransport(settings) { transport in
            #expect(await transport.failure(Request(.get, url)) == .clientCertificateRequired)
            identity.withLock { $0 = ClientIdentityTests.pem }
            try await expectOK(transport, url)
        }
    }

    @Test func requestInFlightIsNotDisturbed() async throws {
        let context = Locked(try NIOSSLContext(configuration: TestCertificates.server(TestCertificates.localhost)))
        let server = try await NIORawServer(prepare: { channel in
            try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context.withLock { $0 }))
        }) { received in
            received.head.contains("/slow") ? [.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nsl")] : [ok]
        }
        let slow = try server.url("/slow", scheme: "https", host: "localhost")
        let url = try server.url(scheme: "https", host: "localhost")
        try await TestCertificates.withFile(TestCertificates.root) { file in
            try await withTransport(ConnectionSettings { $0.trust = .only(pemFile: file) }) { transport in
                let stream = try #require(try await transport.send(Request(.get, slow), exchange: Flight(.streamed).exchange).stream)
                try Self.write(TestCertificates.root + "\n", to: file)
                for _ in 0..<3 { try await expectOK(transport, url) }
                #expect(server.seen.closed == 0)
                withExtendedLifetime(stream) {}
            }
        }
    }
}
#endif
