#if NIO
import HTTPTypes
import NIOCore
import NIOSSL
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacNIO
import Testing

/// TLS: whom the transport trusts, and a code for each way it can fail.
struct NIOTLSTests {
    private func server(
        _ certificate: String, requiresClientCertificate: Bool = false, _ change: (inout TLSConfiguration) -> Void = { _ in }
    ) async throws -> NIORawServer {
        var tls = try TestCertificates.server(certificate, requiresClientCertificate: requiresClientCertificate)
        change(&tls)
        let context = try NIOSSLContext(configuration: tls)
        return try await NIORawServer(prepare: { channel in
            try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
        }) { _ in [ok] }
    }

    private func trustingTestRoot<Result>(
        _ change: @escaping (inout ConnectionSettings) -> Void = { _ in }, _ body: (any Transport) async throws -> Result
    ) async throws -> Result {
        try await TestCertificates.withFile(TestCertificates.root) { file in
            let settings = ConnectionSettings {
                $0.trust = .only(pemFile: file)
                change(&$0)
            }
            return try await withTransport(settings, body)
        }
    }

    @Test(arguments: ["localhost", "127.0.0.1"]) func rootsOfAFileAreTrusted(_ host: String) async throws {
        let server = try await server(TestCertificates.localhost)
        let url = try server.url(scheme: "https", host: host)
        let flights = [Flight(), Flight()]
        try await trustingTestRoot { transport in
            for flight in flights {
                let response = try await transport.get(url, flight)
                #expect(response.text == "ok")
            }
        }
        #expect(flights[1].log.first == "connected(isReused: Optional(true))")
    }

    @Test func rootsOfAFileAreTrustedBesideTheSystems() async throws {
        let server = try await server(TestCertificates.localhost)
        let url = try server.url(scheme: "https", host: "localhost")
        let response = try await TestCertificates.withFile(TestCertificates.root) { file in
            try await withTransport(ConnectionSettings { $0.trust = .systemAnd(pemFile: file) }) { try await $0.get(url) }
        }
        #expect(response.text == "ok")
    }

    @Test func unknownRootIsUntrusted() async throws {
        let server = try await server(TestCertificates.localhost)
        let url = try server.url(scheme: "https", host: "localhost")
        let flight = Flight()
        #expect(try await withTransport { await $0.failure(Request(.get, url), flight) } == .untrustedCertificate)
        #expect(flight.log == ["ended"])
        #expect(server.seen.requests.isEmpty)
    }

    @Test func anyCertificateWillDoWhereThatIsAskedFor() async throws {
        let server = try await server(TestCertificates.expired)
        let url = try server.url(scheme: "https", host: "localhost")
        let response = try await withTransport(ConnectionSettings { $0.trust = .insecureAcceptAnyCertificate }) { try await $0.get(url) }
        #expect(response.text == "ok")
    }

    @Test func expiredCertificateIsToldApart() async throws {
        let server = try await server(TestCertificates.expired)
        let url = try server.url(scheme: "https", host: "localhost")
        #expect(try await trustingTestRoot { await $0.failure(Request(.get, url)) } == .expiredCertificate)
    }

    @Test(arguments: ["localhost", "127.0.0.1"]) func certificateOfAnotherHostIsToldApart(_ host: String) async throws {
        let server = try await server(TestCertificates.other)
        let url = try server.url(scheme: "https", host: host)
        #expect(try await trustingTestRoot { await $0.failure(Request(.get, url)) } == .hostnameMismatch)
    }

    /// TLS 1.2 has no alert of its own for it.
    @Test(arguments: [TLSVersion.tlsv12, .tlsv13]) func missingClientCertificateIsToldApart(_ version: TLSVersion) async throws {
        let server = try await server(TestCertificates.localhost, requiresClientCertificate: true) { $0.maximumTLSVersion = version }
        let url = try server.url(scheme: "https", host: "localhost")
        #expect(try await trustingTestRoot { await $0.failure(Request(.get, url)) } == .clientCertificateRequired)
        #expect(server.seen.requests.isEmpty)
    }

    @Test func aHandshakeRefusedForAnotherReasonIsNoMissingCertificate() async throws {
        let server = try await server(TestCertificates.localhost, requiresClientCertificate: true) {
            $0.maximumTLSVersion = .tlsv12
            // Its key is none for RSA.
            $0.cipherSuites = "AES128-GCM-SHA256"
        }
        let url = try server.url(scheme: "https", host: "localhost")
        #expect(try await trustingTestRoot { await $0.failure(Request(.get, url)) } == .tlsHandshakeFailed)
    }

    /// RFC 8996: TLS 1.0 and 1.1 must not be used.
    @Test(arguments: [TLSVersion.tlsv1, .tlsv11]) func whatIsOlderThanTLS12IsRefused(_ version: TLSVersion) async throws {
        let server = try await server(TestCertificates.localhost) { $0.maximumTLSVersion = version }
        let url = try server.url(scheme: "https", host: "localhost")
        let error = try await trustingTestRoot { transport in
            try await #require(throws: TarmacError.self) { try await transport.get(url) }
        }
        #expect(error.code == .tlsHandshakeFailed && error.reason.contains("1.2"), "\(error)")
        #expect(server.seen.requests.isEmpty)
    }

    @Test func clientCertificateIsShown() async throws {
        let server = try await server(TestCertificates.localhost, requiresClientCertificate: true)
        let url = try server.url(scheme: "https", host: "localhost")
        let response = try await TestCertificates.withFile(TestCertificates.localhost) { certificate in
            try await TestCertificates.withFile(TestCertificates.key) { key in
                let own = ClientIdentity.pemFiles(certificate: certificate, key: key)
                return try await trustingTestRoot({ $0.clientIdentity = own }) { try await $0.get(url) }
            }
        }
        #expect(response.text == "ok")
    }

    @Test func peerThatSpeaksNoTLSFailsTheHandshake() async throws {
        let server = try await NIORawServer(prepare: { channel in
            channel.write(ByteBuffer(string: "HTTP/1.1 400 No\r\n\r\n"), promise: nil)
            channel.flush()
        }) { _ in [] }
        let url = try server.url(scheme: "https", host: "localhost")
        #expect(try await withTransport { await $0.failure(Request(.get, url)) } == .tlsHandshakeFailed)
    }

    @Test func peerThatHangsUpFailsTheHandshake() async throws {
        let server = try await NIORawServer(prepare: { $0.close(promise: nil) }) { _ in [] }
        let url = try server.url(scheme: "https", host: "localhost")
        let code = try await withTransport { await $0.failure(Request(.get, url)) }
        #expect(code == .tlsHandshakeFailed || code == .connectionLost)
    }

    /// What the connections of a first call meet. Those of the second one are as they should be.
    private static let firstMeetings: [(name: String, codes: Set<TarmacError.Code>, meet: @Sendable (any Channel) throws -> Void)] = [
        ("text", [.tlsHandshakeFailed], { $0.writeAndFlush(ByteBuffer(string: "HTTP/1.1 400 No\r\n\r\n"), promise: nil) }),
        ("a hang-up", [.tlsHandshakeFailed, .connectionLost], { $0.close(promise: nil) }),
        ("an alert", [.tlsHandshakeFailed], { $0.writeAndFlush(ByteBuffer(bytes: [0x15, 3, 3, 0, 2, 2, 40]), promise: nil) }),
        ("an alert of a wrong length", [.tlsHandshakeFailed], { $0.writeAndFlush(ByteBuffer(bytes: [0x15, 3, 3, 0, 1, 2]), promise: nil) }),
        ("a record that is too long", [.tlsHandshakeFailed], { $0.writeAndFlush(ByteBuffer(bytes: [0x16, 3, 3, 0xFF, 0xFF, 2]), promise: nil) }),
        (
            "half of a record", [.tlsHandshakeFailed, .connectionLost],
            { channel in
                channel.writeAndFlush(ByteBuffer(bytes: [0x16, 3, 3, 0, 122, 2, 0, 0, 118])).whenComplete { _ in channel.close(promise: nil) }
            }
        ),
        (
            "a server's hello without an end", [.tlsHandshakeFailed],
            { $0.writeAndFlush(ByteBuffer(bytes: [0x16, 3, 3, 0, 6, 2, 0, 0, 2, 3, 3]), promise: nil) }
        ),
        ("an expired certificate", [.expiredCertificate], { try speakTLS($0, TestCertificates.expired) }),
        ("the certificate of another host", [.hostnameMismatch], { try speakTLS($0, TestCertificates.other) }),
    ]

    private static func speakTLS(_ channel: any Channel, _ certificate: String) throws {
        let context = try NIOSSLContext(configuration: TestCertificates.server(certificate))
        try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
    }

    @Test(arguments: firstMeetings.map(\.name)) func aHandshakeThatFailsEndsItsCallWithItsCodeAndTheNextCallWorks(_ name: String) async throws {
        let first = try #require(Self.firstMeetings.first { $0.name == name }), isMended = Locked(false)
        let server = try await NIORawServer(prepare: { channel in
            if !isMended.withLock({ $0 }) { try first.meet(channel) } else { try Self.speakTLS(channel, TestCertificates.localhost) }
        }) { _ in [ok] }
        let url = try server.url(scheme: "https", host: "localhost")
        try await trustingTestRoot { transport in
            let code = await transport.failure(Request(.get, url))
            #expect(code.map(first.codes.contains) == true, "\(code as Any)")
            isMended.withLock { $0 = true }
            let response = try await transport.get(url)
            #expect(response.text == "ok")
        }
    }

    @Test(arguments: [
        ("CERTIFICATE_VERIFY_FAILED", TarmacError.Code.untrustedCertificate),
        ("CERTIFICATE_EXPIRED", .expiredCertificate),
        ("SSLV3_ALERT_CERTIFICATE_EXPIRED", .clientCertificateRequired),
        ("SSLV3_ALERT_BAD_CERTIFICATE", .clientCertificateRequired),
        ("TLSV1_ALERT_UNKNOWN_CA", .clientCertificateRequired),
        ("TLSV1_CERTIFICATE_REQUIRED", .clientCertificateRequired),
        ("WRONG_VERSION_NUMBER", .tlsHandshakeFailed),
        ("NO_SHARED_CIPHER", .tlsHandshakeFailed),
    ])
    func textOfBoringSSLIsRead(_ text: String, _ code: TarmacError.Code) {
        #expect(TLSErrorMapping.judge(text: "[Error: 268435581 error:1000007d:SSL routines:OPENSSL_internal:\(text)]").0 == code)
    }

    @Test(arguments: ["[Error: 268435703 error:100000f7:SSL routines:OPENSSL_internal:WRONG_VERSION_NUMBER at x.cc:1]", "[Error:  EOF during handshake]"])
    func whatSpeaksNoTLSIsSaidInWords(_ text: String) {
        let (code, reason) = TLSErrorMapping.judge(text: text)
        #expect(code == .tlsHandshakeFailed)
        #expect(reason.contains("does not answer in TLS") && !reason.contains("Error"))
    }
}
#endif
