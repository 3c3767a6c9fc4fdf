#if NIO
import Foundation
import NIOSSL
import Testing

@testable import TarmacNIO

struct SystemRootsTests {
    @Test func certificatesThatAreOnlyInTheFolderAreTrusted() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("roots \(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func write(_ text: String, _ name: String) throws { try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)")) }
        let other = try String(contentsOfFile: Fixture.root.pemFile, encoding: .utf8)
        try write(TestCertificates.root, "all.crt")
        // The first is in the file, the third has no name that OpenSSL looks for.
        try write(TestCertificates.root, "002c0b4f.0")
        try write("no certificate", "002c0b4f.1")
        try write(other, "other.pem")
        #expect(SystemRoots.read(file: "\(folder)/all.crt", folder: folder).count == 1)
        try write(other, "5ed36f99.0")
        let all = SystemRoots.read(file: "\(folder)/all.crt", folder: folder)
        #expect(all == (try NIOSSLCertificate.fromPEMBytes(Array((TestCertificates.root + "\n" + other).utf8))))
        #expect(SystemRoots.read(file: "\(folder)/missing.crt", folder: folder).isEmpty)
    }
}
#endif
