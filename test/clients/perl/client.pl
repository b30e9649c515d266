#!/usr/bin/perl
# Asks a node with SOAP::Lite; what it reads and prints: ../README.md. SOAP::Lite
# takes address and actions from the WSDL; document/literal has to be spelled here.
use strict;
use warnings;
use utf8;
use SOAP::Lite;
use open qw(:std :encoding(UTF-8));

$| = 1;
my ($wsdl, $version) = @ARGV;
my $namespace = 'urn:asterism:v1';

sub decoded { my $text = shift; $text =~ s/\\n/\n/g; $text =~ s/\\r/\r/g; return $text }

sub encoded {
    my $text = shift // '';
    $text =~ s/\n/\\n/g;
    $text =~ s/\r/\\r/g;
    return $text;
}

# elements turns the words of a step into what SOAP::Lite takes.
sub elements {
    return map {
        if (/^(condition|field|column):(.*)$/s) {
            SOAP::Data->name($1 => \SOAP::Data->value(elements(split /\|/, $2)));
        } else {
            my ($name, $text) = split /=/, $_, 2;
            # Without a type it guesses one, and sends what is not ASCII as base64.
            defined $text
              ? SOAP::Data->name($name => decoded($text))->type('string')
              : SOAP::Data->name($name => undef);
        }
    } @_;
}

# inner walks over the children of an element; repeated ones would be lost in the
# hash that SOAP::Lite makes of an element.
sub inner {
    my ($som, $path) = @_;
    my @words;
    for (my $i = 1; $som->match("$path/[$i]"); $i++) {
        my $name = $som->dataof->name;
        my $value = $som->valueof;
        if ($name eq 'row') {
            my @fields = $som->valueof("$path/[$i]/field");
            push @words, 'row:' . join '|', map { $_->{name} . '=' . encoded($_->{value}) } @fields;
        } elsif ($som->match("$path/[$i]/[1]")) {
            push @words, "$name:" . join '|', inner($som, "$path/[$i]");
        } else {
            push @words, "$name=" . encoded($value);
        }
    }
    return @words;
}

sub ask {
    my ($soap, $operation, @words) = @_;
    my $method = SOAP::Data->name($operation)->attr({ xmlns => $namespace });
    my $som = eval { $soap->call($method, elements(@words)) };
    return 'refused ' . encoded($@ || $soap->transport->status) unless ref $som;
    if ($som->fault) {
        my ($code, $text) = ($som->faultcode, $som->faultstring);
        ($code, $text) = ($som->valueof('//Fault/Code/Value'), $som->valueof('//Fault/Reason/Text')) if $version eq '1.2';
        $code =~ s/^.*://;
        return "fault $code " . encoded($text);
    }
    my ($instance, $revision, @rest) = inner($som, '/Envelope/Body/[1]');
    s/^\w+=// for $instance, $revision;
    return join "\t", "$instance $revision", @rest;
}

my $operations = SOAP::Schema->new(schema_url => $wsdl)->parse->services->{Asterism};
my $action;
my $soap = SOAP::Lite->soapversion($version)->proxy($operations->{GetCodecs}{endpoint}->value, keep_alive => 1);
$soap->on_action(sub { return qq("$action") });
$soap->on_fault(sub { return $_[1] });
while (my $line = <STDIN>) {
    chomp $line;
    my ($times, $operation, @words) = split /\t/, $line;
    $action = $operations->{$operation}{soapaction}->value;
    my %answers;
    $answers{ ask($soap, $operation, @words) } = 1 for 1 .. $times;
    print((keys %answers == 1 ? keys %answers : 'different answers'), "\n");
}
