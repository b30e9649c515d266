package doctor

// checks are all that is looked for.
func checks() []check {
	return []check{
		{"file", badFiles},
		{"settings", noSettings},
		{"mapping-missing", missingMappings},
		{"companion-missing", missingCompanions},
		{"mapping-doubled", doubledMappings},
		{"mapping-useless", uselessMappings},
		{"mapping-obsolete", obsoleteMappings},
		{"mapping-global", globalMappings},
		{"mapping-second", secondPriorities},
		{"mapping-long", longMappings},
		{"driver", drivers},
		{"database", databases},
		{"family-unknown", unknownFamilies},
		{"url", badURLs},
		{"url-long", longURLs},
		{"url-host", hostNames},
		{"url-family", otherFamilies},
		{"sorcery-section", wrongSections},
		{"sorcery-family", wrongFamilies},
		{"sorcery-missing", unaskedFamilies},
		{"sorcery-miss", misplacedUpdateMiss},
		{"contact-astdb", localContacts},
		{"contact-cache", cachedContacts},
		{"cache", badCaches},
		{"unqualified-fetch", unqualifiedFetches},
		{"objects-hidden", hiddenObjects},
		{"switch", unmappedSwitches},
		{"curl-timeout", timeouts},
		{"curl-option", curlOptions},
		{"systemname", missingSystemname},
		{"modules", missingModules},
	}
}
