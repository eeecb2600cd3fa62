import MovieDomain

extension LanguagePreference {
    init(codes: String...) { self.init(codes.compactMap { Language($0) }) }
}
