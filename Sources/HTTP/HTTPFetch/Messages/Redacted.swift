/// Something that holds credentials: whatever prints it shows its description and nothing else.
protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Redacted {
    var debugDescription: String { self.description }

    /// Without members: `dump` and the like would show them.
    var customMirror: Mirror { Mirror(self, children: []) }
}
