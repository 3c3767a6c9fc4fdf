#if Tools
import Foundation
import NIOSSL
import Tarmac
import TarmacCore
import Testing

/// The certificates `scripts/make-test-certificates` makes.
enum Fixture: String, CaseIterable, CustomTestStringConvertible {
    case root, stranger, issuer
    case localhost, expired, future, elsewhere, selfsigned, client
    /// Signed by `issuer`, which they send along; `lapsed` by another that has expired.
    case chained, rotated, lapsed

    var testDescription: String { rawValue }

    var pemFile: String { Self.path("\(rawValue).pem") }
    var keyFile: String { Self.path("\(rawValue)-key.pem") }

    var identity: ClientIdentity {
        .pemFiles(certificate: pemFile, key: keyFile)
    }

    /// The pins as openssl made them.
    var keyPin: Pin { .key(pinText(1)) }
    var certificatePin: Pin { .certificate(sha256: pinText(2)) }
    var fingerprint: String { pinText(3) }

    private func pinText(_ column: Int) -> String {
        let lines = (try? String(contentsOfFile: Self.path("pins.txt"), encoding: .utf8))?.split(separator: "\n") ?? []
        return lines.map { $0.split(separator: " ") }.first { $0.first == rawValue[...] }.map { String($0[column]) } ?? "no pin"
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
