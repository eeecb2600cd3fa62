import Cryptography

/// A Lua script, which Redis executes atomically.
///
/// It is sent by its SHA-1 digest, and as text if the server does not have it, for example after a restart. For Redis
/// Cluster all keys of a call need the same hash tag.
package struct RedisScript: Sendable {
    package let text: String
    /// SHA-1 of the text, in hexadecimal.
    package let digest: String

    package init(_ text: String) {
        self.text = text
        let digits = Array("0123456789abcdef".utf8)
        // Redis identifies scripts by SHA-1; it protects nothing here.
        let bytes = SHA1.hash(data: text.utf8).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        self.digest = String(decoding: bytes, as: UTF8.self)
    }

    /// - Parameter isWhole: Whether to send the script's text instead of its digest.
    func command(keys: [String], _ arguments: [any RedisArgument], isWhole: Bool) -> RedisCommand {
        let words: [any RedisArgument] = [isWhole ? self.text : self.digest, keys.count] + keys + arguments
        return RedisCommand(isWhole ? "EVAL" : "EVALSHA", arguments: words.map(\.redisBytes))
    }
}
