import Tarmac
import TarmacCore
import Testing

/// Law 9 for property wrappers.
@Suite struct SecretMaskingTests {
    struct Inner: Encodable, Sendable { @Secret var token = "hunter2"; @Header("Authorization") var header = "hunter2" }
    struct Login: Encodable, Sendable {
        var name = "ann"
        @Secret var password = "hunter2"
        @Query("q") @Secret var query = "hunter2"
        @Secret @Query var reversed = "hunter2"
        @Header @Secret var header: String? = "hunter2"
        @Secret var list = ["hunter2"]
        var inner: Inner? = Inner()
        var inners = [Inner()]
    }
    final class Account: Encodable { @Secret var password = "hunter2" }

    static let values: [any Sendable] = [
        Login(), Secret(wrappedValue: "hunter2"), Secret(wrappedValue: "hunter2", "name"),
        Header(wrappedValue: "hunter2"), [Secret(wrappedValue: "hunter2")], Optional(Login()),
        ["k": Login()],
    ]

    @Test(arguments: values.indices)
    func noWayOfShowingAValueShowsASecret(index: Int) {
        check(Self.values[index])
    }

    @Test func classesAreMaskedToo() { check(Account()) }

    @Test func keyPathsAndErrorsShowNoSecret() {
        struct Bad: Encodable { @Secret var pin = Double.nan; var name = "hunter2" }
        let error = #expect(throws: TarmacError.self) { try ParameterEncoder().encode(Bad()) }
        #expect(error?.path == "pin")
        #expect(error.map { !"\($0)".contains("hunter2") } == true)
    }

    private func check(_ value: Any) {
        var dumped = ""
        dump(value, to: &dumped)
        var printed = ""
        print(value, to: &printed)
        for text in [dumped, printed, "\(value)", String(describing: value), String(reflecting: value), mirrored(value, depth: 0)] {
            #expect(!text.contains("hunter2"), "\(text)")
        }
    }

    private func mirrored(_ value: Any, depth: Int) -> String {
        guard depth < 12 else { return "" }
        return Mirror(reflecting: value).children.map { "\($0.value)" + mirrored($0.value, depth: depth + 1) }.joined()
    }
}
