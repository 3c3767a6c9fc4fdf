import Foundation
import HTTPTypes
import TarmacTesting
import Testing

@testable import Tarmac

/// Settings for other calls leave a resumable upload alone: its bytes are the file's, and every answer is its own.
@Suite("Settings and resumable uploads", .timeLimit(.minutes(5)))
struct UploadSettingTests {
    static let protocols: [UploadProtocol] = [.tus, .ietf, .tus { $0.checksum = .sha1 }]
    private static let impatient = ResumeRule.automatic { $0.base = .zero }

    private func stub(_ server: StubUploads) -> StubTransport { StubTransport { try server.answer($0) } }

    @Test(arguments: protocols)
    func theBytesGoOutAsTheyAre(settings: UploadProtocol) async throws {
        let bytes = Array(String(repeating: "tarmac ", count: 10_000).utf8), server = StubUploads(), stub = self.stub(server)
        server.breakOff(after: [20_000])
        let client = Client(stub) {
            $0.requestCompression = .gzip
            $0.resume = Self.impatient
        }
        _ = try await client.upload(.data(Data(bytes), name: "f.txt"), to: .post("/files"), by: settings) { $0.requestCompression = .gzip(minimumSize: 0) }
        #expect(server.uploads["/uploads/1"]?.bytes == bytes)
        #expect(stub.requests.allSatisfy { !$0.headers.contains(.contentEncoding) })
    }
}
