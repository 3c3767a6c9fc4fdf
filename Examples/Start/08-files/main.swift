// Downloads a file whose connection breaks, and uploads a form.
import Foundation
import Shop
import Tarmac
import TarmacStreams
import TarmacURLSession

let folder = FileManager.default.temporaryDirectory.appendingPathComponent("start-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }
let video = folder.appendingPathComponent("video.mp4").path
let photo = folder.appendingPathComponent("photo.jpg").path
try Data(repeating: 1, count: 50_000).write(to: URL(fileURLWithPath: photo))

let bar = ProgressBar()
let client = Client(transport: .urlSession, services: [Service("shop", host: ShopServer.url)])

// page: download
try await client.send(Download(.get("/video"), to: video)) {
    $0.transferLedger = .folder(folder.appendingPathComponent("unfinished").path)
} progress: { progress in
    bar.show(progress.fraction ?? 0)
}
print("\(bar.percent) % of the file, in \(ShopServer.count(of: "/video")) requests")
// page end

// page: upload
struct Uploaded: Decodable, Sendable { var id: Int }

let uploaded = try await client.send(Upload(.multipart([.field("title", "Sunrise"), .file("photo", photo)]), to: .post("/photos", as: Uploaded.self))) {
    $0.retry = .exponential(maxAttempts: 3)
    $0.idempotencyKey = .automatic
} progress: { progress in
    bar.show(progress.fraction ?? 0)
}
print("photo \(uploaded.id), \(bar.percent) % sent")
// page end

// page: screen
struct PostPhoto: Endpoint, Encodable {
    typealias Value = Uploaded
    static let route: Route = .post("/photos")
    var title: String
}

@MainActor
final class PhotoModel {
    private(set) var fraction = 0.0

    func post(_ photo: String, with client: Client) async throws -> Int {
        let form = try Body.multipart([.file("photo", photo)])
        let show: @Sendable (TransferProgress) -> Void = { p in Task { @MainActor in self.fraction = p.fraction ?? 0 } }
        return try await client.send(Upload(form, to: PostPhoto(title: "Sunrise")), progress: show).id
    }
}

print("photo \(try await PhotoModel().post(photo, with: client)) again")
// page end

// page: stream
let count = try await client.stream(.get("/users/7")) { response in
    var count = 0
    for try await chunk in response.body { count += chunk.count }
    return count
}
print("\(count) bytes read")
// page end
