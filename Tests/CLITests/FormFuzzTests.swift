#if Tools
@testable import TarmacCLI
import Testing

/// Forms that the demo server reads. `scripts/fuzz readers` fuzzes them for longer.
@Suite("Hostile forms", .timeLimit(.minutes(30)))
struct FormFuzzTests {
    private static let form = """
        --x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--x\r\nContent-Disposition: form-data; name="f"; filename="é.jpg"\r\n\
        Content-Type: image/jpeg\r\n\r\nbytes\r\n--x--\r\n
        """

    @Test func noFormEndsTheProcess() throws {
        let reader = FuzzedReader("form", [Self.form]) { bytes in
            for type in ["multipart/form-data; boundary=x", "multipart/form-data; boundary=\"\(String(decoding: bytes.prefix(3), as: UTF8.self))\""] {
                let parts = DemoForm.parts(of: bytes, type: type) ?? []
                #expect(parts.reduce(0) { $0 + $1.count } <= bytes.count)
            }
        }
        try reader.read(Array(Self.form.utf8))
        #expect(FuzzBudget.spend(on: reader) > 0)
    }
}
#endif
