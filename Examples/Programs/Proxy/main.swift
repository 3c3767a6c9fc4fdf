// A proxy in the manner of inetd, for one request without a body: socat TCP-LISTEN:8000,fork EXEC:"Proxy http://127.0.0.1:8080"
import Foundation
import Tarmac
import TarmacStreams
import TarmacURLSession

let origin = Service("origin", host: CommandLine.arguments[1])
let line = (readLine() ?? "").split(separator: " ").map(String.init)
guard line.count == 3 else { fatalError("a request line such as GET /users/7 HTTP/1.1 is expected") }
var call = InlineEndpoint(.method(line[0], line[1]), landing: .void, service: origin).with {
    $0.acceptableStatus = .any
    $0.redirects = .off
    $0.acceptsCompression = false
}
while let field = readLine(), let colon = field.firstIndex(of: ":") {
    let name = field[..<colon].lowercased(), value = field[colon...].dropFirst().trimmingCharacters(in: .whitespaces)
    if name != "host", name != "connection" { call = call.with { $0.headers[name] = value } }
}
try await Client(transport: .urlSession).stream(call) { response in
    let head = ["HTTP/1.1 \(response.status)"] + response.headers.map { "\($0.name): \($0.value)" } + ["", ""]
    FileHandle.standardOutput.write(Data(head.joined(separator: "\r\n").utf8))
    for try await chunk in response.body { FileHandle.standardOutput.write(Data(chunk)) }
}
