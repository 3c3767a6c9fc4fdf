// Brings files into a folder; what breaks off goes on where it ended, also in the next run: FileMirror http://127.0.0.1:8080 FOLDER PATH...
import Foundation
import Tarmac
import TarmacURLSession

let folder = CommandLine.arguments[2]
try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
let client = Client(transport: .urlSession, services: [Service("files", host: CommandLine.arguments[1])]) {
    $0.transferLedger = .folder("\(folder)/.unfinished")
}
try await withThrowingTaskGroup { group in
    for path in CommandLine.arguments.dropFirst(3) {
        group.addTask {
            let file = "\(folder)/\(path.dropFirst().replacing(/[\/?=]/, with: "-"))"
            try await client.send(Download(.get(path), to: file))
            print("\(path) is in \(file)")
        }
    }
    try await group.waitForAll()
}
