// Uploads files in a form and shows how far each is: Uploader http://127.0.0.1:8080 FILE...
import Tarmac
import TarmacJSON
import TarmacURLSession

let client = Client(transport: .urlSession, services: [Service("server", host: CommandLine.arguments[1])])
for path in CommandLine.arguments.dropFirst(2) {
    let answer = try await client.send(Upload(.multipart([.field("title", path), .file("file", path)]), to: .post("/seeds/uploads", as: JSON.self))) {
        $0.retry = .exponential(maxAttempts: 3)
        $0.idempotencyKey = .automatic
    } progress: { progress in
        print("\(path): \(Int((progress.fraction ?? 0) * 100)) %")
    }
    print("\(path): \(answer["files"].count) parts have arrived")
}
