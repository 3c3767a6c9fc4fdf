// Posts what is typed; what others say comes as events: Chat http://127.0.0.1:8080 ann
import Tarmac
import TarmacStreams
import TarmacURLSession

struct Message: Codable, Sendable {
    var name: String
    var text: String
}

let client = Client(transport: .urlSession, services: [Service("chat", host: CommandLine.arguments[1])])
// Detached, because readLine blocks the thread of the main actor.
let listening = Task.detached {
    for try await event in client.events(.get("/events", ["count": 3, "ms": 10])) { print("\(event.lastEventID): \(event.data)") }
}
while let text = readLine() {
    try await client.post("/echo", Message(name: CommandLine.arguments[2], text: text))
    print("said: \(text)")
}
try await listening.value
