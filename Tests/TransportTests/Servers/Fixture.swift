#if Tools
import Foundation
import NIOSSL
import Tarmac
import Testing

/// The certificates `scripts/make-test-certificates` makes.
enum Fixture: String, CaseIterable, CustomTestStringConvertible {
    case root, stranger
    case localhost, expired, elsewhere, selfsigned, client

    var testDescription: String { rawValue }

    var pemFile: String { Self.path("\(rawValue).pem") }
    var keyFile: String { Self.path("\(rawValue)-key.pem") }

    var clientCertificate: ConnectionSettings.ClientCertificate {
        ConnectionSettings.ClientCertificate(pemFile: pemFile, privateKeyFile: keyFile)
    }

    /// What a server with this identity does; with `clientRoot` it asks for a client certificate and insists.
    func serverConfiguration(clientRoot: Fixture? = nil) throws -> TLSConfiguration {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMFile(pemFile).map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(file: keyFile, format: .pem)))
        if let clientRoot {
            configuration.trustRoots = .file(clientRoot.pemFile)
            configuration.certificateVerification = .noHostnameVerification
        }
        return configuration
    }

    private static func path(_ name: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures").appending(path: name).path
    }
}
#endif
