import Foundation
import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacResumableUpload
@testable import TarmacTransfer

/// Uploads go on in another client with the same folder, as in another process.
@Suite("Resumable uploads in a ledger", .timeLimit(.minutes(5)))
struct UploadLedgerTests {
    private let bytes = noise(50_000)

    private func client(_ stub: StubTransport, _ folder: String) -> Client {
        Client(stub) {
            $0.transferLedger = .folder("\(folder)/ledger")
            $0.resume = .never
        }
    }

    /// Broken off twice, then once more behind its last byte: each client asks how far it is and sends the rest.
    @Test(arguments: ResumableUploadTests.protocols)
    func eachClientGoesOnWhereTheLastOneEnded(settings: UploadProtocol) async throws {
        let server = StubUploads()
        server.breakOff(after: [20_000, 15_000, 60_000])
        try await withFolder { folder in
            let path = "\(folder)/f.png"
            try Data(bytes).write(to: URL(filePath: path))
            for methods in [[HTTPRequest.Method.post, .patch], [.head, .patch], [.head, .patch]] {
                let stub = StubTransport { try server.answer($0) }, client = client(stub, folder)
                let error = await failure { try await client.send(Upload(.file(path), to: .post("/files"), by: settings)) }
                #expect(error?.code == .connectionLost)
                #expect(stub.requests.map(\.method) == methods)
                #expect(names("\(folder)/ledger").count == 1)
                await client.shutdown()
            }
            let stub = StubTransport { try server.answer($0) }
            let landed = try await client(stub, folder).send(Upload(.file(path), to: .post("/files"), by: settings))
            // The answer to the last byte got lost: there is nothing left to send.
            #expect(stub.requests.map(\.method) == [.head])
            #expect(landed.url.path == "/uploads/1")
            #expect(server.uploads["/uploads/1"]?.bytes == bytes)
            #expect(server.bytesReceived == 50_000)
            #expect(names("\(folder)/ledger") == [])
        }
    }

    @Test(arguments: ResumableUploadTests.protocols)
    func anUploadThatIsCancelledGoesOnInAnotherClient(settings: UploadProtocol) async throws {
        let server = StubUploads(), isAppending = Watched(false)
        let held = StubTransport { request in
            let response = try server.answer(request)
            guard request.method == .patch else { return response }
            isAppending.update { $0 = true }
            _ = try await Watched(false).wait { $0 }
            return response
        }
        try await withFolder { folder in
            let path = "\(folder)/f.png"
            try Data(bytes).write(to: URL(filePath: path))
            var part = settings
            part.chunkSize = 20_000
            let first = client(held, folder), call = Task { [part] in try await first.send(Upload(.file(path), to: .post("/files"), by: part)) }
            try await isAppending.wait { $0 }
            call.cancel()
            await #expect(throws: CancellationError.self) { try await call.value }
            let stub = StubTransport { try server.answer($0) }
            _ = try await client(stub, folder).send(Upload(.file(path), to: .post("/files"), by: settings))
            #expect(stub.requests.map(\.method) == [.head, .patch])
            #expect(stub.requests.last?.headers[UploadField.offset] == "20000")
            #expect(server.uploads["/uploads/1"]?.bytes == bytes)
        }
    }
}
