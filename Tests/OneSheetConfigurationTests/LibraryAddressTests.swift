import Testing

@testable import OneSheetConfiguration

/// The address of a database shared by nodes.
struct LibraryAddressTests {
    @Test(arguments: [
        "postgres://db/one", "postgresql://u:p@a,b:5433/one?target_session_attrs=read-write",
        "postgres:///one?host=/run",
    ])
    func aURLOfLibpqIsOne(_ text: String) throws {
        #expect(try #require(LibraryAddress(text)).url == text)
    }

    @Test(arguments: ["", "db", "mysql://db/one", "host=db dbname=one", "postgres://db/o ne", "postgres://db/\u{7F}"])
    func nothingElseIs(_ text: String) {
        #expect(LibraryAddress(text) == nil)
    }

    @Test func messagesHaveNeitherItsUserNorItsPasswords() {
        let address = LibraryAddress("postgres://me:secret@db/one?password=another")
        #expect(address?.description == "postgres://***@db/one?password=***")
    }
}
