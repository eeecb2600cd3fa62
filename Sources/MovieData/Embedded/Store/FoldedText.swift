/// Text as it is compared: small letters and digits only, whatever stands between them.
struct FoldedText: Hashable {
    let characters: [Character]

    init(_ text: some StringProtocol) {
        self.characters = text.lowercased().filter { $0.isLetter || $0.isNumber }.map { $0 }
    }

    var isEmpty: Bool { self.characters.isEmpty }

    func contains(_ other: FoldedText) -> Bool { self.characters.contains(other.characters) }

    func begins(with other: FoldedText) -> Bool { self.characters.starts(with: other.characters) }
}
