// A request from the shell, with fields as JSON or a body from standard input: Fetch METHOD URL [name=value... | -]
import Foundation
import Tarmac
import TarmacJSON
import TarmacURLSession

let arguments = CommandLine.arguments.dropFirst(3)
var request = try Request(.init(CommandLine.arguments[1]) ?? .get, CommandLine.arguments[2])
if arguments.first == "-" {
    let bytes = [UInt8](FileHandle.standardInput.readDataToEndOfFile())
    request.body = .bytes(bytes, contentType: "text/plain")
} else if !arguments.isEmpty {
    let pairs = arguments.map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
    request.body = try .json(Dictionary(uniqueKeysWithValues: pairs.map { ($0[0], $0.count > 1 ? $0[1] : "") }))
}
let response = try await Client(transport: .urlSession).send(raw: request)
print(response.status)
if let body = response.body.collected { print(String(decoding: body, as: UTF8.self)) }
