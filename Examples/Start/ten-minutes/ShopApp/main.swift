// An app in ten minutes: the calls.
// page: main
import Tarmac

let client = shopClient()
do {
    try await client.logIn(client.send(LogIn(name: "ann", password: "runway")).accessToken())
    print(try await client.send(GetUser(id: 7)).name)
    for _ in 1...2 { print(try await client.landed(for: Feed()).source) }
} catch let error as TarmacError {
    print(error.code, error.userMessage)
} catch {}
// page end
