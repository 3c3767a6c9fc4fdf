import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP

// YTK-18: tag and userInfo.
@Suite("Tags and user info", .timeLimit(.minutes(5)))
struct CallLabelTests {
    private enum Screen: UserInfoKey { typealias Value = String }
    private enum Count: UserInfoKey { typealias Value = Int }

    private func label(_ options: inout Options) {
        options.tags = ["search", "list"]
        options.userInfo[Screen.self] = "hunter2"
    }

    @Test func theyComeBackInEventsAndErrors() async throws {
        let recorder = EventRecorder()
        let client = Client(StubTransport { _ in .status(.notFound) }) { $0.observers = [recorder] }
        let error = try #require(await failure { try await client.get("/", configure: label) })
        #expect(error.context?.tags == ["search", "list"])
        #expect(error.context?.userInfo[Screen.self] == "hunter2")
        #expect(error.context?.userInfo[Count.self] == nil)
        #expect(!recorder.events.isEmpty)
        for event in recorder.events {
            #expect(event.tags == ["search", "list"])
            #expect(event.userInfo[Screen.self] == "hunter2")
        }
    }

    @Test func aValueUnderAKeyReplacesThatOfALowerLayerAlone() async throws {
        let client = Client(StubTransport { _ in .status(.notFound) }) {
            $0.userInfo[Screen.self] = "client"
            $0.userInfo[Count.self] = 1
        }
        let error = await failure { try await client.get("/") { $0.userInfo[Screen.self] = "call" } }
        #expect(error?.context?.userInfo[Screen.self] == "call")
        #expect(error?.context?.userInfo[Count.self] == 1)
    }

    @Test func whatIsCarriedIsNeverShown() async throws {
        let error = try #require(await failure { try await Client(StubTransport { _ in .status(.notFound) }).get("/", configure: label) })
        let outcome = CallOutcome.landed(value: "hunter2", response: nil)
        let context = try #require(error.context)
        let explanation = Client(StubTransport { _ in .status(.ok) }).explain(.get("/"), configure: label)
        for value in [error, context, context.userInfo, outcome, explanation] as [Any] {
            for text in Shown.texts(value) { #expect(!text.contains("hunter2"), "\(type(of: value))") }
        }
        #expect(explanation["userInfo"]?.value == "Screen")
        #expect(explanation["tags"]?.value == "list, search")
    }
}
