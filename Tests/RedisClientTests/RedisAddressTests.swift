import PosterTesting
import RedisClient
import Testing

@Suite struct RedisAddressTests {
    @Test func anAddressHasDefaults() throws {
        let address = try RedisAddress("redis://cache.example")
        #expect(address.host == "cache.example")
        #expect(address.port == 6379)
        #expect(address.database == 0)
        #expect(!address.isEncrypted)
        #expect(address.user == nil)
        #expect(address.password == nil)
    }

    @Test func anAddressNamesAllThatThereIs() throws {
        let address = try RedisAddress("rediss://poster:p%40ss@[::1]:6380/7")
        #expect(address.host == "::1")
        #expect(address.port == 6380)
        #expect(address.database == 7)
        #expect(address.isEncrypted)
        #expect(address.user == "poster")
        #expect(address.password == "p@ss")
        #expect(try RedisAddress("redis://:secret@h").password == "secret")
    }

    @Test func aPasswordIsNotShown() throws {
        let address = try RedisAddress("redis://user:secret@h")
        var dumped = ""
        dump(address, to: &dumped)
        for text in ["\(address)", String(reflecting: address), dumped] { #expect(!text.contains("secret")) }
    }

    @Test(arguments: [
        "", "redis://", "http://h", "h:6379", "redis://h:0", "redis://h:99999", "redis://h/x", "redis://h/-1",
        "redis://h/1?x=y", "redis://h/1#f", "redis://user:@h",
    ])
    func whatIsNoAddressIsRefused(_ text: String) {
        #expect(throws: RedisAddress.Malformed.self) { try RedisAddress(text) }
    }
}
