import HTTPTypes
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacTesting
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Files of a form", .timeLimit(.minutes(5)))
struct SeedTransferTests {
    // QSP-16, YTK-12, XF-5: data and files, with field, file name and type; XF-B8: a file keeps its name, and types are right.
    @Test func partsHaveNameFileNameAndType() async throws {
        let (stub, folder) = (StubTransport.user, try TemporaryFolder())
        folder.write("alert()", to: "a.js")
        let body = try Body.multipart([
            .field("title", "Sunrise"), .data("photo", Data("jpeg".utf8), fileName: "1.jpg", contentType: "image/jpeg"),
            .file("script", folder.path("a.js"), fileName: "main.js"),
        ])
        try await Client(stub).upload(body, to: InlineEndpoint<Void>.post("/photos"))
        let request = try #require(stub.requests.first)
        #expect(request.headers[.contentType]?.hasPrefix("multipart/form-data; boundary=") == true)
        let text = try #require(request.text)
        #expect(text.contains("name=\"title\"\r\n\r\nSunrise\r\n"))
        #expect(text.contains("name=\"photo\"; filename=\"1.jpg\"\r\nContent-Type: image/jpeg\r\n\r\njpeg\r\n"))
        #expect(text.contains("name=\"script\"; filename=\"main.js\"\r\nContent-Type: text/javascript"))
    }

    // QSP-24
    @Test func anUploadTellsHowFarItIs() async throws {
        let (stub, told) = (StubTransport.user, Locked<[Int64]>([]))
        let client = Client(stub)
        try await client.upload(
            .data(Data(repeating: 1, count: 5000)), to: InlineEndpoint<Void>.post("/photos"),
            progress: { progress in told.withLock { $0.append(progress.sent) } })
        #expect(told.withLock { $0.last } == 5000)
    }
}
