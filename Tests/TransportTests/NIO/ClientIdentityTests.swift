#if NIO
import NIOCore
import NIOSSL
import Tarmac
import TarmacCore
import TarmacNIO
import Testing

/// The certificate that a client presents: in files, in memory and in archives, and an error for each way it can be wrong.
struct ClientIdentityTests {
    private func answer(to identity: ClientIdentity) async throws -> String? {
        let context = try NIOSSLContext(configuration: try TestCertificates.server(TestCertificates.localhost, requiresClientCertificate: true))
        let server = try await NIORawServer(prepare: { try $0.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context)) }) { _ in [ok] }
        let settings = ConnectionSettings {
            $0.trust = .onlyPEM(Bytes(TestCertificates.root))
            $0.clientIdentity = identity
        }
        let url = try server.url(scheme: "https", host: "localhost")
        return try await withTransport(settings) { try await $0.get(url) }.text
    }

    private func failure(of identity: ClientIdentity) async throws -> TarmacError {
        try await #require(throws: TarmacError.self) { try await answer(to: identity) }
    }

    static let pem = ClientIdentity.pem(certificate: Bytes(TestCertificates.localhost), key: Bytes(TestCertificates.key))

    @Test(arguments: [pem, .pkcs12(TestArchives.whole, password: "secret")])
    func certificateInMemoryIsShown(_ identity: ClientIdentity) async throws {
        #expect(try await answer(to: identity) == "ok")
    }

    @Test func wrongPasswordIsToldApart() async throws {
        let error = try await failure(of: .pkcs12(TestArchives.whole, password: "guess"))
        #expect(error.code == .wrongIdentityPassword)
        #expect(!"\(error)".contains("guess"))
    }

    @Test func expiredCertificateIsRefusedBeforeItIsShown() async throws {
        let identity = ClientIdentity.pem(certificate: Bytes(TestCertificates.expired), key: Bytes(TestCertificates.key))
        #expect(try await failure(of: identity).code == .expiredClientIdentity)
    }

    @Test(arguments: [
        (ClientIdentity.pkcs12(TestArchives.withoutKey, password: "secret"), "no private key"),
        (.pkcs12(TestArchives.withoutCertificate, password: "secret"), "no certificate"),
        (.pkcs12(Bytes("not an archive"), password: ""), "no private key"),
        (.pkcs12(Bytes(TestArchives.whole.array.dropLast(40)), password: "secret"), "cannot be read"),
        (.pem(certificate: Bytes(TestCertificates.localhost), key: Bytes(TestCertificates.localhost)), "no private key"),
        (.pem(certificate: Bytes(TestCertificates.key), key: Bytes(TestCertificates.key)), "no certificate"),
        (.pem(certificate: Bytes(TestCertificates.root), key: Bytes(TestCertificates.key)), "another certificate"),
    ])
    func identityThatCannotBeUsedSaysWhy(_ identity: ClientIdentity, _ reason: String) async throws {
        let error = try await failure(of: identity)
        #expect(error.code == .invalidOption && error.reason.contains(reason), "\(error)")
    }

    @Test func identityIsNeverPrinted() {
        let identity = ClientIdentity.pkcs12(TestArchives.whole, password: "hunter2")
        var text = "\(identity) \(String(reflecting: identity))"
        dump(identity, to: &text)
        dump(ConnectionSettings { $0.clientIdentity = identity }, to: &text)
        #expect(!text.contains("hunter2"))
    }
}
#endif
